"""A program in a pseudo-terminal: keys go in, and what it paints is waited for."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

LINES, COLUMNS = 24, 80
_LONGEST = 30.0  # seconds


class Terminal:
    """Runs a command in a terminal of 80×24 and reads what it writes. A context manager."""

    def __init__(self, command: Sequence[str], environment: dict[str, str] | None = None) -> None:
        self._own, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **(environment or {}),
            },
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._own)

    @property
    def process(self) -> int:
        return self._process.pid

    def wait_for(self, *texts: str) -> float:
        """Read until each of `texts` was written since the last call; the instant of the last."""
        wanted = [text.encode() for text in texts]
        seen = b""
        until = time.perf_counter() + _LONGEST
        while not all(text in seen for text in wanted):
            ready, _, _ = select.select([self._own], [], [], until - time.perf_counter())
            if not ready:
                raise TimeoutError(f"{texts} were not painted; the last output was {seen[-400:]!r}")
            seen += os.read(self._own, 65536)
        return time.perf_counter()

    def press(self, key: str) -> float:
        """Write a key; the instant before."""
        at = time.perf_counter()
        os.write(self._own, key.encode())
        return at

    def drain(self, quiet: float = 0.05) -> None:
        """Read until nothing was written for `quiet` seconds."""
        while select.select([self._own], [], [], quiet)[0]:
            os.read(self._own, 65536)

    def silent(self, quiet: float) -> float:
        """Read until nothing was written for `quiet` seconds; the instant of what came last."""
        last = time.perf_counter()
        while select.select([self._own], [], [], quiet)[0]:
            os.read(self._own, 65536)
            last = time.perf_counter()
        return last
