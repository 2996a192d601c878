"""A process of the app behind pipes: Textual's packets, and its end in order.

A packet is a letter (D: what a terminal would read or write, M: JSON about it), the payload's size
in four bytes (big end first), the payload. textual-serve speaks the same.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import NamedTuple

DRIVER = "studyattn.tui.browser_driver:BrowserDriver"
PRELUDE = b"__GANGLION__\n"
_LONGEST_PACKET = 64 * 1024 * 1024
_LONGEST_WORDS = 2000
_SECONDS_TO_QUIT = 10.0


class Size(NamedTuple):
    """Columns and rows of a terminal."""

    width: int
    height: int

    @staticmethod
    def read(width: object, height: object) -> Size:
        """Read what a page says; anything else than a sensible size is made one."""
        return Size(_within(width, 80, 20, 500), _within(height, 24, 5, 300))


def _within(value: object, otherwise: int, least: int, most: int) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = otherwise
    return max(least, min(most, number))


def environment_of_app(
    base: Mapping[str, str], size: Size, own: Mapping[str, str]
) -> dict[str, str]:
    """The environment of an app whose terminal is a page: all colours, and `own` variables."""
    kept = {
        name: value
        for name, value in base.items()
        if name not in {"NO_COLOR", "COLORFGBG"} and not name.startswith("TEXTUAL")
    }
    return {
        **kept,
        "TEXTUAL_DRIVER": DRIVER,
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "COLORTERM": "truecolor",
        "TERM": "xterm-256color",
        "TERM_PROGRAM": "studyattn serve",
        "COLUMNS": str(size.width),
        "ROWS": str(size.height),
        **own,
    }


class AppProcess:
    """One app. `start` first; then read `output` to its end, while others write."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("the process must be started with three pipes")
        self._stdin, self._stdout = process.stdin, process.stdout
        self._words = asyncio.create_task(_read_words(process.stderr))

    @staticmethod
    async def start(environment: Mapping[str, str]) -> AppProcess:
        """Start an app; its home is in the environment, where no list of processes shows it."""
        return AppProcess(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "studyattn",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(environment),
                start_new_session=True,  # Ctrl-C is the server's, which ends its apps in order
            )
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    async def output(self) -> AsyncIterator[bytes]:
        """Yield what the app draws, until it ends."""
        if not await self._has_begun():
            return
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind = await self._stdout.readexactly(1)
                size = int.from_bytes(await self._stdout.readexactly(4), "big")
                if size > _LONGEST_PACKET:
                    return
                payload = await self._stdout.readexactly(size)
                if kind == b"D":
                    yield payload

    async def _has_begun(self) -> bool:
        """Skip what is printed before the first packet; False when there is none."""
        while line := await self._stdout.readline():
            if line == PRELUDE:
                return True
        return False

    async def type(self, text: str) -> None:
        """Send what a terminal sends: keys, mouse, pasted text."""
        await self._send(b"D", text.encode("utf-8", "replace"))

    async def tell(self, kind: str, **more: object) -> None:
        """Send a message about the terminal: `resize`, `focus`, `blur`, `attach`, `quit`."""
        await self._send(b"M", json.dumps({"type": kind, **more}).encode())

    async def _send(self, kind: bytes, payload: bytes) -> None:
        with suppress(ConnectionError, RuntimeError):  # it has ended: `output` ends, too
            self._stdin.write(kind + len(payload).to_bytes(4, "big") + payload)
            await self._stdin.drain()

    async def end(self) -> None:
        """Ask the app to quit, so that it saves; after ten seconds make it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.tell("quit"), 1)
        for make_it in (self._process.terminate, self._process.kill, None):
            try:
                await asyncio.wait_for(self._process.wait(), _SECONDS_TO_QUIT)
            except TimeoutError:
                if make_it is not None:
                    with suppress(ProcessLookupError):
                        make_it()
            else:
                break
        await self._words

    async def last_words(self) -> str:
        """Wait for the end; return the last line that the app printed for people, if any."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _SECONDS_TO_QUIT)
        if self._process.returncode is None:
            return ""
        lines = (await self._words).strip().splitlines()
        return lines[-1] if lines else ""


async def _read_words(stream: asyncio.StreamReader) -> str:
    kept = b""
    while read := await stream.read(4096):
        kept = (kept + read)[-_LONGEST_WORDS:]
    return kept.decode("utf-8", "replace")


def own_environment() -> dict[str, str]:
    """The server's own environment, without what names a home or a database, and its secrets."""
    ours = {f"STUDYATTN_{each}" for each in ("HOME", "DB", "LEARNER", "TOKEN", "ANKI_KEY")}
    return {name: value for name, value in os.environ.items() if name not in ours}
