"""The app in terminals of several names, each with a card that has a picture."""

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
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.study.profile import open_profile
from studyattn.study.review import browse, item_actions

PIL = pytest.importorskip("PIL.Image", reason="the group pictures is not installed")

_RUN = """
import sys
from pathlib import Path
from studyattn.packs import locate
locate.content_dir = lambda: Path(sys.argv[2])
from studyattn.home import Home
from studyattn.tui.app import run
sys.exit(run(Home(Path(sys.argv[1]))))
"""
_BLOCK = "▀".encode()
_PLACEHOLDER = "\U0010eeee".encode()
_SECONDS = 30


class Running:
    """The app in a pseudo-terminal, and all that it wrote since something was waited for."""

    def __init__(self, home: Home, empty: Path, terminal: str) -> None:
        self._ours, theirs = pty.openpty()
        self._size(theirs, 100, 10)
        self.written = b""
        environment = {**os.environ, "TERM": terminal, "COLORTERM": "truecolor", "TZ": "UTC"}
        for name in ("TMUX", "TERM_PROGRAM", "NO_COLOR", "TEXTUAL_DRIVER"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _RUN, str(home.root), str(empty)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=environment,
        )
        self._theirs = theirs

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, cell: int) -> None:
        self._size(self._theirs, columns, cell)
        os.kill(self.process.pid, signal.SIGWINCH)

    def _size(self, terminal: int, columns: int, cell: int) -> None:
        size = struct.pack("HHHH", 30, columns, columns * cell, 30 * 2 * cell)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)

    def until(self, pattern: bytes) -> bytes:
        """Return what was written up to and with the pattern."""
        end = time.monotonic() + _SECONDS
        while (found := re.search(pattern, self.written, re.DOTALL)) is None:
            assert time.monotonic() < end, self.written[-3000:]
            if select.select([self._ours], [], [], 0.2)[0]:
                self.written += os.read(self._ours, 1 << 16)
        before, self.written = self.written[: found.end()], self.written[found.end() :]
        return before

    def ended(self) -> int:
        """Return the exit status, reading what is still written until there is one."""
        end = time.monotonic() + _SECONDS
        while (status := self.process.poll()) is None:
            assert time.monotonic() < end
            if select.select([self._ours], [], [], 0.2)[0]:
                os.read(self._ours, 1 << 16)
        return status

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)


@pytest.fixture
def pictured(home: Home) -> Home:
    """A home whose next card has a picture, red above blue."""
    with open_profile(home) as profile:
        profile.change_setting("lessons", "off")
        for each in browse.items(profile):
            item_actions.edit(profile, each.guid, "Look: ![map](media/map.png)", "a map")
    home.media.mkdir()
    flag = PIL.new("RGB", (100, 50), (255, 0, 0))
    flag.paste((0, 0, 255), (0, 25, 100, 50))
    flag.save(home.media / "map.png")
    return home


@contextlib.contextmanager
def running(home: Home, empty: Path, terminal: str) -> Iterator[Running]:
    """The app, looking at the card with the picture."""
    app = Running(home, empty, terminal)
    try:
        app.until(b"study")
        app.type(" ")
        yield app
    finally:
        app.close()


def test_kitty(pictured: Home, tmp_path: Path) -> None:
    with running(pictured, tmp_path, "xterm-kitty") as app:
        app.until(rb"\x1b_Ga=T,U=1,i=\d+,c=10,r=3,f=100,t=d,q=2,m=0;")
        app.until(_PLACEHOLDER)
        app.type("i")
        app.until(b"About this card")
        assert _PLACEHOLDER not in app.until(b"Guid")
        app.type("\x1b")
        assert b"a=T" not in app.until(_PLACEHOLDER)  # it has the picture still
        app.resize(90, 20)  # with characters of another size: it is sent anew
        app.until(rb"\x1b_Ga=d,d=I,i=\d+,q=2\x1b\\")
        app.until(rb"\x1b_Ga=T")
        app.until(_PLACEHOLDER)
        app.type("\x1b")
        app.until(b"Today|study")
        app.type("q")
        app.until(rb"\x1b_Ga=d,d=I,i=\d+,q=2\x1b\\")
        assert app.ended() == 0


def test_another_terminal(pictured: Home, tmp_path: Path) -> None:
    with running(pictured, tmp_path, "xterm-256color") as app:
        app.until(_BLOCK)
        app.type(" ")
        assert b"\x1b_Ga" not in app.until(b"again")
