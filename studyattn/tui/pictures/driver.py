"""Textual's driver for a terminal, which can ask the terminal something and write pictures.

Textual would take the replies to a question for keys. Here they are taken out before it reads them.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import sys
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from studyattn.tui.pictures.canvas import Cell

if TYPE_CHECKING:
    from studyattn.tui.pictures.question import Answers, Replies

_PATIENCE = 0.1
"""Seconds after which what looked like the beginning of a reply is a key."""


class PictureDriver(LinuxDriver):
    """Reads keys and writes frames, as Textual's does, with questions and pictures between them."""

    replies: Replies | None = None
    """What the terminal answered to the question that was asked last."""
    _answered: asyncio.Event | None = None
    complete: Callable[[str], str] | None = None
    """Puts pictures into a frame that has marks where they belong."""

    def start_application_mode(self) -> None:
        """Draw in the terminal: where errors go to a file, by standard output."""
        if sys.__stdout__ is not None and not (sys.__stderr__ and sys.__stderr__.isatty()):
            # As standard error has it: nothing that cannot be encoded ends the app.
            sys.__stdout__.reconfigure(errors="backslashreplace")
            self._file = sys.__stdout__
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's

    async def ask(self, question: str, seconds: float) -> Answers:
        """Ask the terminal, and return what it answered within `seconds`."""
        from studyattn.tui.pictures.question import Replies  # late: the first frame asks nothing

        self._answered = asyncio.Event()
        replies = self.replies = Replies()
        self.write(question)
        self.flush()
        with suppress(TimeoutError):  # a reply that comes later is taken out and dropped
            await asyncio.wait_for(self._answered.wait(), seconds)
        return replies.answers()

    def end_of_replies(self) -> None:
        """Wake who asked. Called in the thread that reads."""
        if self._answered is not None:
            self._loop.call_soon_threadsafe(self._answered.set)

    def cell(self) -> Cell | None:
        """Return the size of a character as the system knows it; many terminals do not tell it."""
        try:
            told = fcntl.ioctl(self.fileno, termios.TIOCGWINSZ, bytes(8))
        except OSError:
            return None
        rows, columns, width, height = struct.unpack("HHHH", told)
        if not (rows and columns and width >= columns and height >= rows):
            return None
        return Cell(width // columns, height // rows)

    def write(self, data: str) -> None:
        """Write to the terminal, with the pictures that are in it."""
        super().write(data if self.complete is None else self.complete(data))

    def run_input_thread(self) -> None:
        """Read keys until the app ends, and replies from among them."""
        driver = self

        class Parser(_Parser):
            def __init__(self, debug: bool = False) -> None:
                super().__init__(debug)
                self.driver = driver

        # Textual's method makes a parser by this name, and has no other place for one.
        vars(linux_driver)["XTermParser"] = Parser
        super().run_input_thread()


class _Parser(XTermParser):
    """Textual's parser of keys, which gets what is no reply."""

    driver: PictureDriver
    _held_until = 0.0

    def feed(self, data: str) -> Iterable[Message]:
        replies = self.driver.replies
        if replies is not None and replies.awaits() and data:
            data = replies.take(data)
            self._held_until = monotonic() + _PATIENCE
            if not replies.awaits():
                self.driver.end_of_replies()
            if not data:  # which would mean the end
                return
        yield from super().feed(data)

    def tick(self) -> Iterable[Message]:
        replies = self.driver.replies
        if replies is not None and replies.held and monotonic() >= self._held_until:
            yield from super().feed(replies.release())
        yield from super().tick()
