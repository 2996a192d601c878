"""`drill watch` in a terminal of its own: saves of all kinds, keys, and what it leaves behind."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.cli.watching import hand_ins_in
from tests.cli.conftest import Command

RIGHT = """# backend: numpy
import numpy as np

def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""
WRONG = RIGHT.replace(" / np.sqrt(q.shape[-1]).astype(q.dtype)", "")
IMPORTING = """# backend: numpy
import numpy as np
from softmax import softmax

def attention(q, k, v):
    return softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)) @ v
"""
SOFTMAX = """import numpy as np

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum({axis}, keepdims=True)
"""
READY = "q to end"
PATIENCE = 60


class Terminal:
    """A command in a terminal, and what it has written there."""

    def __init__(self, *arguments: str) -> None:
        self.ours, self.theirs = pty.openpty()
        self.modes = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "studyattn", *arguments],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - no thread runs here
        )
        self.text = ""

    def wait_for(self, words: str) -> str:
        """What was written up to and with `words`, which is then taken away."""
        end = time.monotonic() + PATIENCE
        while words not in self.text:
            assert time.monotonic() < end, self.text
            if select.select([self.ours], [], [], 0.2)[0]:
                self.text += os.read(self.ours, 1 << 16).decode("utf-8", "replace")
        before, _, self.text = self.text.partition(words)
        return before + words

    def press(self, key: str) -> None:
        os.write(self.ours, key.encode())

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


def _take_terminal() -> None:
    """Make it the terminal of the new session, so that ^C interrupts what runs there.

    Tests that run in the background of a shell inherit that interrupts are ignored.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.close(os.open(os.ttyname(0), os.O_RDWR))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine" / "attention.py"
    path.parent.mkdir()
    path.write_text(WRONG)
    return path


@pytest.fixture
def terminal(home: Path, file: Path, command: Command) -> Iterator[Terminal]:
    command("answer", "attention:scaling-score", "good")  # a begun concept, whose cards come back
    terminal = Terminal("--home", str(home), "drill", "watch", "attention", str(file))
    yield terminal
    terminal.close()


def replace(file: Path, text: str) -> None:
    """As editors save: another file takes its place."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


def test_every_way_to_save_is_graded_and_kept(
    terminal: Terminal, file: Path, command: Command
) -> None:
    shown = terminal.wait_for(READY)
    assert "The scores are not divided by √d." in shown
    assert "due today: Why are the scores divided by √dₖ before the softmax?" in shown
    assert "\n" not in shown.replace("\r\n", "")  # lines begin at the left
    replace(file, RIGHT)
    assert "Passed" in terminal.wait_for(READY)
    file.unlink()
    terminal.wait_for("waiting for it")
    file.write_text(RIGHT)
    assert "Passed" in terminal.wait_for(READY)
    file.write_text(RIGHT.replace("# backend: numpy", "# backend: numpy\n# again"))
    assert "Passed" in terminal.wait_for(READY)
    terminal.press("q")
    assert terminal.process.wait(PATIENCE) == 0
    assert termios.tcgetattr(terminal.theirs) == terminal.modes
    versions = command("drill", "history", "attention", "--json").json
    assert [version["verdict"] for version in versions] == ["wrong", "passed", "passed"]


def test_a_save_of_a_file_that_it_imports_is_graded(home: Path, file: Path) -> None:
    file.write_text(IMPORTING)
    beside = file.with_name("softmax.py")
    terminal = Terminal("--home", str(home), "drill", "watch", "attention", str(file))
    with contextlib.closing(terminal):
        assert "softmax" in terminal.wait_for(READY)  # there is no such module
        beside.write_text(SOFTMAX.format(axis=-2))
        assert "Not yet" in terminal.wait_for(READY)
        replace(beside, SOFTMAX.format(axis=-1))
        assert "Passed" in terminal.wait_for(READY)
        terminal.press("q")
        assert terminal.process.wait(PATIENCE) == 0


def test_interrupting_leaves_terminal_and_processes_as_they_were(terminal: Terminal) -> None:
    terminal.wait_for(READY)
    children = children_of(terminal.process.pid)
    assert children
    terminal.press("\x03")
    assert terminal.process.wait(PATIENCE) == 130
    assert "Traceback" not in terminal.wait_for("studyattn: interrupted")
    assert termios.tcgetattr(terminal.theirs) == terminal.modes
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def watch_without_a_terminal(home: Path, file: Path, *options: str) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "studyattn", "--home", str(home)),
            *("drill", "watch", "attention", str(file), "--no-record", *options),
        ],
        input="q",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_without_a_terminal_it_ends_with_its_input(home: Path, file: Path) -> None:
    assert "The scores are not divided by √d." in watch_without_a_terminal(home, file)


def test_each_verdict_is_a_line_of_json(home: Path, file: Path) -> None:
    (line,) = watch_without_a_terminal(home, file, "--json").splitlines()
    assert json.loads(line)["verdict"] == "wrong"


def children_of(parent: int) -> list[str]:
    """The processes that a process has started: here, its fork server."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return found.stdout.split()


def test_a_class_is_graded_again_after_what_was_saved_while_it_was_graded(tmp_path: Path) -> None:
    end = threading.Event()
    patience = threading.Timer(PATIENCE, end.set)  # then what is waited for ends, and the test too
    patience.start()
    hand_ins = hand_ins_in(tmp_path, end)
    next(hand_ins)
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "softmax.py").write_text("first")  # nothing watches yet
    next(hand_ins)
    replace(tmp_path / "anna" / "softmax.py", "second, while the first is graded")
    next(hand_ins)
    patience.cancel()
