"""A program in a pseudo-terminal of its own, driven as somebody types."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

PATIENCE = 30  # seconds, on a busy machine
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>])"
)
# The terminal becomes that of the session: a shell has jobs, and Ctrl-C reaches the program, which
# a shell that runs tests in its background has told to ignore it.
_TAKE = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """What the program has written there, without the sequences that move and colour."""

    def __init__(self, *command: str, environment: Mapping[str, str], lines: int = 24) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 100, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _TAKE, *command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", **environment},
        )
        os.close(theirs)
        self._text = ""

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def wait_for(self, words: str, *, sequences: bool = False) -> str:
        """Return what was written up to and with `words`, which is then taken away.

        With `sequences`, what was written since is returned as it was.
        """
        end = time.monotonic() + PATIENCE
        raw = ""
        while words not in self._text:
            assert time.monotonic() < end, self._text
            if select.select([self._ours], [], [], 0.2)[0]:
                raw += (read := os.read(self._ours, 1 << 16).decode("utf-8", "replace"))
                self._text += read
                self._text = _SEQUENCE.sub("", self._text).replace("\r", "")
                self._text = re.sub("[^\b]\b", "", self._text)  # a letter written over
        before, _, self._text = self._text.partition(words)
        return raw if sequences else before + words

    def hang_up(self) -> None:
        """Close the terminal's window, and wait until the program has ended."""
        os.close(self._ours)
        self._ours = os.open(os.devnull, os.O_RDWR)
        self._process.wait(PATIENCE)

    def wait_end(self) -> None:
        """Wait until the program has ended by itself."""
        end = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < end, self._text
            if select.select([self._ours], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):  # it has just ended
                    os.read(self._ours, 1 << 16)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._ours)


@contextlib.contextmanager
def terminal(*command: str, environment: Mapping[str, str], lines: int = 24) -> Iterator[Terminal]:
    """A program in a terminal, which ends with the block."""
    running = Terminal(*command, environment=environment, lines=lines)
    try:
        yield running
    finally:
        running.close()


def program(folder: Path) -> Path:
    """Make a folder with a command `studyattn`, as an installation has it, for `PATH`."""
    folder.mkdir()
    file = folder / "studyattn"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m studyattn "$@"\n')
    file.chmod(0o755)
    return folder
