"""Grading without any privilege, where namespaces are forbidden, as in many containers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHELL = (
    "echo 0 > /proc/sys/user/max_user_namespaces"
    ' && exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"'
)
WITHOUT_PRIVILEGES = ("unshare", "--user", "--map-root-user", "sh", "-c", SHELL, "sh")
"""Runs a command in a user namespace whose processes may make no other, without capabilities."""

GRADE = '''
import json
from studyattn.grading import Grader

TRIES = """# backend: numpy
import os, socket, sys
import numpy as np

def tried(what):
    try:
        return bool(what())
    except OSError:
        return False

def softmax(x):
    print(tried(os.fork), tried(socket.socket), tried(lambda: os.kill(os.getppid(), 0) is None),
          tried(lambda: open(sys.prefix + "/made", "w")), tried(lambda: os.unshare(1 << 28)
          if hasattr(os, "unshare") else False))
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
with Grader() as grader:
    report = grader.grade("softmax", TRIES)
print(json.dumps([report.passed, report.isolation, report.printed]))
'''


def may_be_tried() -> bool:
    if sys.platform != "linux" or not shutil.which("unshare") or not shutil.which("setpriv"):
        return False
    command = [*WITHOUT_PRIVILEGES, "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not may_be_tried(), reason="needs a user namespace to be without")


def run(*command: str) -> str:
    done = subprocess.run(
        [*WITHOUT_PRIVILEGES, *command], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def test_the_other_walls_hold_and_the_verdict_says_which() -> None:
    passed, isolation, printed = json.loads(run(sys.executable, "-c", GRADE))
    assert passed
    assert "pid-namespace" not in isolation
    assert {"process", "rlimits", "subreaper"} <= set(isolation)
    if "seccomp" in isolation and "landlock" in isolation:
        assert printed.split() == ["False"] * 5
        assert "network" in isolation


def test_doctor_says_what_falls_away(tmp_path: Path) -> None:
    told = run(sys.executable, "-m", "studyattn", "--home", str(tmp_path), "doctor", "--json")
    isolation = json.loads(told)["isolation"]
    assert "pid-namespace" not in isolation["layers"]
    assert "ended one by one" in isolation["no pid-namespace"]
    assert "counted" in isolation["no mounts"]
