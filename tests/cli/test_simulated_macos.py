"""The program where Python says that it runs on macOS, as far as a Linux machine can tell.

There are none of the walls of Linux, and no torch, as on a Mac with an Intel processor.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import process
from tests.corpus import submissions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="macOS is simulated on Linux")

_SITE = """
import os, platform, sys, sysconfig
os.environ["_PYTHON_SYSCONFIGDATA_NAME"] = sysconfig._get_sysconfigdata_name()
sys.platform = "darwin"
platform.system = lambda: "Darwin"
sys.modules["torch"] = None
"""


@pytest.fixture
def mac(tmp_path: Path) -> Path:
    """A folder that makes a Mac of each Python that has it on its path."""
    (tmp_path / "mac").mkdir()
    (tmp_path / "mac" / "sitecustomize.py").write_text(_SITE)
    return tmp_path / "mac"


def on(mac: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return process(*arguments, home=home, environment={"PYTHONPATH": str(mac)})


def test_submissions_are_graded_with_numpy(mac: Path, home: Path) -> None:
    for kind, name, status in (
        ("right", "numpy_rows.py", 0),
        ("wrong", "all_entries_no_maximum_numpy.py", 1),
    ):
        done = on(
            mac,
            home,
            "drill",
            "grade",
            "softmax",
            str(submissions("softmax") / kind / name),
            "--json",
        )
        assert done.returncode == status, done.stderr
        assert json.loads(done.stdout)["passed"] is (kind == "right")


def test_doctor_says_what_the_sandbox_lacks(mac: Path, home: Path) -> None:
    told = on(mac, home, "doctor").stdout
    (layers,) = (line for line in told.splitlines() if line.split()[:1] == ["layers"])
    assert layers.split(None, 1)[1] == "process, rlimits"
    assert "no landlock" in told
    assert "a submission can reach the network" in told
    assert "a descendant that leaves the session can outlive its attempt" in told


def test_data_is_where_a_mac_keeps_it(mac: Path, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(mac), "HOME": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-m", "studyattn", "doctor"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        timeout=60,
    ).stdout
    assert f"home      {tmp_path}/Library/Application Support/studyattn" in told


def test_today_and_its_cards_are_there(mac: Path, home: Path) -> None:
    assert int(on(mac, home, "due", "--count").stdout) > 0
    assert "Now:" in on(mac, home).stdout
