"""Sessions: an app each, which stays for some minutes when its page has gone, and the page's keys.

A page numbers what it sends. What the app was given is acknowledged; a page that comes back sends
the rest again, so that no key is lost and none arrives twice. What the app draws while nobody looks
is dropped: for a page that comes back it draws everything.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from studyattn.serve.access import Owner
from studyattn.serve.process import AppProcess, Size

ENDED, TAKEN_OVER, REFUSED = 4000, 4001, 4003
"""Codes with which a websocket is closed: the app has ended, another page shows it, no room."""

_RESET = b"\x1bc"  # a terminal as it is at its start
_SECONDS_TO_SEND = 10.0
_SECONDS_TO_PART = 1.0


class Socket(Protocol):
    """The part of aiohttp's websocket that a session uses."""

    async def send_bytes(self, data: bytes) -> None: ...
    async def send_json(self, data: Any) -> None: ...
    async def close(self, *, code: int = 1000) -> Any: ...


class NoRoomError(Exception):
    """All sessions that may run do; the message is for people."""


class Session:
    """An app and the page that shows it, if one does."""

    def __init__(
        self, owner: Owner, process: AppProcess, on_end: Callable[[Session], None]
    ) -> None:
        self.id = secrets.token_urlsafe(16)
        self.owner = owner
        self.process = process
        self._on_end = on_end
        self._socket: Socket | None = None
        self._page = ""
        self._taken = 0  # number of the last message of the page that the app was given
        self._attaching = asyncio.Lock()  # of two pages that come at once, one is told of the other
        self._farewell: str | None = None  # why no page is shown it any more, once that is so
        self._is_fresh = True  # no page has shown it yet: what it draws first is complete
        self._showing = asyncio.create_task(self._show_output())

    @property
    def is_away(self) -> bool:
        """Tell whether no page shows it."""
        return self._socket is None

    async def attach(self, socket: Socket, page: str, size: Size) -> None:
        """Show the app in this page from now on; another page that showed it is told so."""
        async with self._attaching:
            before, self._socket = self._socket, None
            if before is not None:
                await _close(before, TAKEN_OVER)
            if page != self._page:
                self._page, self._taken = page, 0
            await socket.send_json(["session", self.id, self._taken])
            if not self._is_fresh:
                await socket.send_bytes(_RESET)
            if self._farewell is not None:
                await part(socket, self._farewell)
                return
            self._socket = socket
            kind = "resize" if self._is_fresh else "attach"
            self._is_fresh = False
            await self.process.tell(kind, width=size.width, height=size.height)

    def detach(self, socket: Socket) -> None:
        """Note that a page has gone, whether it was the one that showed the app or not."""
        if self._socket is socket:
            self._socket = None

    async def receive(self, socket: Socket, message: object) -> None:
        """Carry out a message of the page that shows the app; one that is none is ignored."""
        if self._socket is not socket:
            return  # its numbers are not those of the page that took over
        match message:
            case ["stdin", str(text), int(number)]:
                if number > self._taken:
                    self._taken = number
                    await self.process.type(text)
                await socket.send_json(["taken", number])
            case ["resize", {"width": width, "height": height}]:
                size = Size.read(width, height)
                await self.process.tell("resize", width=size.width, height=size.height)
            case ["focus" | "blur" as kind, *_]:
                await self.process.tell(kind)
            case ["ping", str(sent)]:
                await socket.send_json(["pong", sent])

    async def dismiss(self, words: str) -> None:
        """Tell these words to the page, then end the app in order: no key reaches it any more."""
        self._farewell, socket, self._socket = words, self._socket, None
        if socket is not None:
            await part(socket, words)
        await self.end()

    async def end(self) -> None:
        """End the app in order, whoever looks at it."""
        await self.process.end()
        await self._showing

    async def _show_output(self) -> None:
        async for drawn in self.process.output():
            socket = self._socket
            if socket is None:
                continue
            try:
                async with asyncio.timeout(_SECONDS_TO_SEND):
                    await socket.send_bytes(drawn)
            except (TimeoutError, ConnectionError, RuntimeError):
                # The page does not read: the app must not wait for it. The socket's own end tells
                # the server that the page has gone.
                if self._socket is socket:
                    self._socket = None
                await _close(socket, 1001)
        words = await self.process.last_words()
        self._on_end(self)
        if self._farewell is None:
            self._farewell = words
        if self._socket is not None:
            await part(self._socket, self._farewell)


async def part(socket: Socket, words: str) -> None:
    """Tell a page for good why it shows no app any more."""
    with suppress(ConnectionError, RuntimeError, TimeoutError):
        async with asyncio.timeout(_SECONDS_TO_PART):
            await socket.send_json(["ended", words])
    await _close(socket, ENDED)


async def _close(socket: Socket, code: int) -> None:
    with suppress(ConnectionError, RuntimeError, TimeoutError):
        async with asyncio.timeout(_SECONDS_TO_PART):
            await socket.close(code=code)


class Sessions:
    """All sessions of a server: at most `most`, each kept for `keep` seconds without a page."""

    def __init__(
        self, environment: Callable[[str, Size], Mapping[str, str]], *, most: int, keep: float
    ) -> None:
        self._environment = environment
        self._most = most
        self._keep = keep
        self._running: dict[str, Session] = {}
        self._starting = 0
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._endings: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    @property
    def running(self) -> list[Session]:
        return list(self._running.values())

    async def open(self, owner: Owner, wanted: str, size: Size) -> Session:
        """Return the session that is wanted, else one of the owner's that has no page, else a new.

        Raises NoRoomError; before that, the session that has had no page for longest is ended.
        """
        found = self._running.get(wanted)
        if found is None or found.owner != owner:
            away = [each for each in self._running.values() if each.owner == owner and each.is_away]
            found = away[-1] if away else None
        return found or await self._start(owner, size)

    async def _start(self, owner: Owner, size: Size) -> Session:
        while len(self._running) + self._starting >= self._most:
            longest = next((self._running[id_] for id_ in self._leaving), None)
            if longest is None:
                raise NoRoomError(
                    f"{self._most} sessions are open, the most that this server allows. "
                    "Close one, or come back later."
                )
            self._drop(longest)
            await longest.end()
        self._starting += 1
        try:
            process = await AppProcess.start(self._environment(owner.learner, size))
        finally:
            self._starting -= 1
        session = Session(owner, process, self._drop)
        self._running[session.id] = session
        return session

    async def attach(self, session: Session, socket: Socket, page: str, size: Size) -> None:
        """Show a session in a page."""
        if (timer := self._leaving.pop(session.id, None)) is not None:
            timer.cancel()
        await session.attach(socket, page, size)

    def detach(self, session: Session, socket: Socket) -> None:
        """A page has gone: its session stays for a while."""
        session.detach(socket)
        if session.is_away and session.id in self._running and session.id not in self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving[session.id] = loop.call_later(self._keep, self.dismiss, session)

    def dismiss(self, session: Session, words: str = "") -> None:
        """Begin to end a session: its page is told these words, and nobody comes back to it."""
        self._drop(session)
        task = asyncio.create_task(session.dismiss(words))
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)

    def _drop(self, session: Session) -> None:
        self._running.pop(session.id, None)
        if (timer := self._leaving.pop(session.id, None)) is not None:
            timer.cancel()

    async def end_all(self) -> None:
        """End every app in order."""
        await asyncio.gather(*(each.end() for each in list(self._running.values())))
        await asyncio.gather(*self._endings)
