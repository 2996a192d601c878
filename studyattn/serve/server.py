"""The server: its pages, the websocket, and who gets which of them."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from studyattn.address import read_address
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.serve.access import (
    Doors,
    FailureLimit,
    Owner,
    Visitor,
    is_loopback,
    mark,
    signed,
    verified,
    visitor_of,
)
from studyattn.serve.learners import Learners
from studyattn.serve.process import Size, environment_of_app, own_environment
from studyattn.serve.sessions import REFUSED, NoRoomError, Sessions, part

_PAGES = Path(__file__).parent / "page"
_TERMINAL = Path(str(textual_serve.__file__)).parent / "static"
_REFUSED = "Open this page with the address that `studyattn serve` printed: it contains a token.\n"
_HEADERS = {
    # Textual's terminal makes style elements; scripts come from the server alone.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    # With `no-referrer` a browser sends the forms of these pages with the origin `null`.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MOST_FAILURES_OF_AN_ADDRESS = 30  # a minute, over all names: a class may share one address
_LARGEST_MESSAGE = 1024 * 1024  # bytes; a pasted text is one message
_SECONDS_BETWEEN_LOOKS = 0.5  # at who may still be here
_SECONDS_OF_A_STRANGER = 20.0  # that a connection stays on which nobody has shown a cookie
_MOST_STRANGERS = 200  # such connections at once
_MOST_GUESSES = 60  # passwords of strangers that wait to be looked at, two at a time
_SECONDS_OF_A_DEVICE = 365 * 86400  # for which a browser that has logged in is known again

_Limits = Sequence[tuple[FailureLimit, str]]
"""Limits of failures, each with the key under which it counts."""


class Serving(NamedTuple):
    """The settings of a server: what is served, and to whom."""

    home: Home
    doors: Doors
    port: int
    font_size: int | None = None  # pixels; None: what suits the page
    most_sessions: int = 32
    keep: float = 600.0  # seconds that a session stays without a page
    learners: Learners | None = None  # who log in; None: whoever has the token is the learner


def learners_of(home: Home) -> Learners:
    """The learners who may log in, kept in the home of the machine that serves."""
    return Learners(home.root / "served" / "learners.json")


class Server:
    """HTTP and websockets over the sessions."""

    def __init__(self, serving: Serving, environment: Mapping[str, str] | None = None) -> None:
        self._serving = serving
        self._base = own_environment() if environment is None else environment
        self._key = secrets.token_bytes(32)  # signs the cookies
        self._logged_out: set[str] = set()  # visitors; each had logged in, so strangers add none
        self._pages: dict[web.WebSocketResponse, Visitor] = {}
        self._connections: dict[object, float] = {}  # when each was seen first; 0: of a visitor
        self._watching: asyncio.Task[None] | None = None
        self._guesses = 0
        self._guessing = asyncio.Semaphore(2)  # a hash takes 64 MB
        self._by_name = FailureLimit(time.monotonic)
        self._by_address = FailureLimit(time.monotonic, most=_MOST_FAILURES_OF_AN_ADDRESS)
        self._cookie = self._device = ""  # known once it listens
        self.sessions = Sessions(self._environment, most=serving.most_sessions, keep=serving.keep)
        self._runner: web.AppRunner | None = None

    async def start(self) -> int:
        """Listen; return the port. Raises InputError where that is not possible."""
        app = web.Application(middlewares=[self._guard], client_max_size=16 * 1024)
        app.add_routes(
            [
                web.get("/", self._index),
                web.post("/login", self._log_in),
                web.post("/logout", self._log_out),
                web.get("/state", self._state),
                web.get("/ws", self._socket),
                web.static("/page", _PAGES),
                web.static("/terminal", _TERMINAL),
            ]
        )
        # A stranger who sends no HTTP is told so; it is no line for the terminal of the server.
        logging.getLogger("aiohttp.server").addFilter(_is_ours)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=2)
        await self._runner.setup()
        host, port = self._serving.doors.host, self._serving.port
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise InputError(
                f"cannot listen on {host}, port {port} ({error.strerror})",
                advice="--port 0 picks a free port",
            ) from error
        found: int = self._runner.addresses[0][1]
        self._cookie = f"studyattn-{found}"  # a browser sends a host's cookies to each of its ports
        self._device = f"{self._cookie}-device"
        self._watching = asyncio.create_task(self._watch(self._runner))
        return found

    async def stop(self) -> None:
        """End every app in order, then listen no more."""
        if self._watching is not None:
            self._watching.cancel()
        await self.sessions.end_all()
        if self._runner is not None:
            await self._runner.cleanup()

    def _environment(self, owner: str, size: Size) -> Mapping[str, str]:
        home = self._serving.home
        own = {"STUDYATTN_HOME": str(home.root)}
        if home.server is not None:
            own = {
                "STUDYATTN_HOME": str(home.root / "served" / owner),
                "STUDYATTN_DB": home.server.url,
                "STUDYATTN_LEARNER": owner,
            }
        return environment_of_app(self._base, size, own)

    # Who is it?

    @web.middleware  # type: ignore[untyped-decorator]  # aiohttp is an extra
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not self._serving.doors.answers_to(request.headers.get("Host", "")):
            return web.Response(
                status=403,
                text="This server does not answer to that name; --allow-host adds one.\n",
            )
        owner = None
        try:
            if owner := self._owner(self._visitor(request)):
                self._connections[request.protocol] = 0.0
            response = await handler(request)
        except InputError:  # --add-learner tells the reason, not a page for strangers
            response = web.Response(status=503, text="The list of learners cannot be read.\n")
        if not response.prepared:
            response.headers.update(_HEADERS)
            if owner is None:
                response.force_close()
        return response

    def _visitor(self, request: web.Request) -> Visitor | None:
        return visitor_of(request.cookies.get(self._cookie, ""), self._key)

    def _owner(self, visitor: Visitor | None) -> Owner | None:
        """Return whose sessions a visitor may open; None: nobody's."""
        if visitor is None or visitor.owner is None or visitor.id in self._logged_out:
            return None
        return None if self._why_out(visitor.owner) else visitor.owner

    def _why_out(self, owner: Owner) -> str:
        """Say why an owner is one no longer; nothing where that is not so. Raises InputError."""
        if self._serving.learners is None:
            return ""
        known = self._serving.learners.hashes().get(owner.learner)
        if known is None:
            return "Your login was removed."
        return "" if owner.mark == mark(known, self._key) else "Your password was changed."

    # What needs no request.

    async def _watch(self, runner: web.AppRunner) -> None:
        """End the sessions of those who may no longer log in, and the connections of strangers."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            with suppress(InputError):  # a list that cannot be read now throws nobody out
                for session in self.sessions.running:
                    if words := self._why_out(session.owner):
                        self.sessions.dismiss(session, words)
            if runner.server is not None:
                self._end_strangers(runner.server.connections)

    def _end_strangers(self, open_: Sequence[web.RequestHandler[Any]]) -> None:
        """End the connections of strangers that are old, and those beyond the number allowed."""
        now, before = time.monotonic(), self._connections
        self._connections = {each: before.get(each, now) for each in open_}
        strangers = [each for each in open_ if self._connections[each]]  # oldest first
        for place, each in enumerate(reversed(strangers)):
            is_old = now - self._connections[each] > _SECONDS_OF_A_STRANGER
            if each.transport is not None and (is_old or place >= _MOST_STRANGERS):
                each.transport.abort()

    # Pages.

    async def _index(self, request: web.Request) -> web.Response:
        before = self._visitor(request)
        if before is None and not self._serving.doors.knows_token(request.query.get("token", "")):
            return web.Response(status=403, text=_REFUSED)
        learners, owner = self._serving.learners, self._owner(before)
        visitor = before
        if visitor is None or owner is None:
            visitor = Visitor(Owner() if learners is None else None)
        if visitor.owner is None:
            page = self._login_page()
        else:
            size = self._serving.font_size
            page = _page(
                "index.html",
                font_size="" if size is None else str(size),
                learner="" if learners is None else "yes",
            )
        return page if visitor is before else self._with_cookie(page, visitor, request)

    def _login_page(self, told: str = "", status: int = 200) -> web.Response:
        return _page("login.html", status, told=told)

    def _with_cookie(
        self, response: web.Response, visitor: Visitor, request: web.Request
    ) -> web.Response:
        self._set_cookie(response, self._cookie, visitor.cookie(self._key), request)
        return response

    @staticmethod
    def _set_cookie(
        response: web.Response, name: str, value: str, request: web.Request, **where: Any
    ) -> None:
        # A proxy says, or the page that sent a form, that the browser came by TLS.
        came = request.headers.get("X-Forwarded-Proto") or request.headers.get("Origin", "")
        secure = came.startswith("https")
        response.set_cookie(name, value, httponly=True, samesite="Strict", secure=secure, **where)

    async def _state(self, request: web.Request) -> web.Response:
        visitor = self._visitor(request)
        if self._owner(visitor) is not None:
            return web.Response(status=204)
        return web.Response(status=403 if visitor is None else 401)

    async def _log_in(self, request: web.Request) -> web.Response:
        visitor, learners = self._visitor(request), self._serving.learners
        if visitor is None or learners is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        form = await request.post()
        name, password = str(form.get("name", "")).strip().lower(), str(form.get("password", ""))
        known = learners.hashes().get(name, "")
        device = verified(request.cookies.get(self._device, ""), known.encode()) if known else None
        limits = self._limits(request, name, device)
        if too_many := self._too_many(limits, device):
            return self._login_page(*too_many)
        for limit, key in limits:
            limit.note(key)  # before it is looked at: many requests at once get no more tries
        self._connections[request.protocol] = 0.0  # it waits for us now
        async with self._guess() if device is None else nullcontext():
            right = await asyncio.to_thread(learners.right_hash, name, password)
        if right is None:
            return self._login_page("The name or the password is wrong.", 401)
        for limit, key in limits:
            limit.forgive(key)
        await self._leave(visitor)
        # Another visitor: a cookie that was planted before is worth nothing.
        visitor = Visitor(Owner(name, mark(right, self._key)))
        response = web.Response(status=303, headers={"Location": "/"})
        self._set_cookie(
            response,
            self._device,
            signed(visitor.id, right.encode()),
            request,
            path="/login",
            max_age=_SECONDS_OF_A_DEVICE,
        )
        return self._with_cookie(response, visitor, request)

    def _too_many(self, limits: _Limits, device: str | None) -> tuple[str, int] | None:
        """Return why a login is not looked at now, and the status that says so; None if it is."""
        if any(limit.is_reached(key) for limit, key in limits):
            return "Too many wrong passwords. Try again in a minute.", 429
        if device is None and self._guesses >= _MOST_GUESSES:
            return "Too many logins at once. Try again in a moment.", 503
        return None

    def _limits(self, request: web.Request, name: str, device: str | None) -> _Limits:
        """Return what limits the tries of a login, each with its key.

        Failures of strangers do not keep out a browser in which this learner has logged in.
        """
        if device is not None:
            return [(self._by_name, device)]
        address = request.remote or ""
        return [(self._by_name, f"{address} {name[:60]}"), (self._by_address, address)]

    @asynccontextmanager
    async def _guess(self) -> AsyncIterator[None]:
        """Wait until there is room for one more guess of a stranger."""
        self._guesses += 1
        try:
            async with self._guessing:
                yield
        finally:
            self._guesses -= 1

    async def _log_out(self, request: web.Request) -> web.Response:
        visitor = self._visitor(request)
        if visitor is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        await self._leave(visitor)
        return web.Response(status=303, headers={"Location": "/"})

    async def _leave(self, visitor: Visitor) -> None:
        """Let a visitor open nothing more, and close its pages; its sessions stay for a while."""
        if self._owner(visitor) is None or self._serving.learners is None:
            return
        self._logged_out.add(visitor.id)
        pages = [socket for socket, of in self._pages.items() if of.id == visitor.id]
        await asyncio.gather(*(part(socket, "You logged out.") for socket in pages))

    def _is_own(self, request: web.Request) -> bool:
        return Doors.is_own_page(request.headers.get("Origin"), request.headers.get("Host", ""))

    # The terminal.

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        visitor = self._visitor(request)
        owner = self._owner(visitor)
        if visitor is None or owner is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        asked = request.query
        size = Size.read(asked.get("width"), asked.get("height"))
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LARGEST_MESSAGE, compress=False)
        await socket.prepare(request)
        self._pages[socket] = visitor
        try:
            await self._show(socket, owner, size, asked)
        except ConnectionError:
            pass  # the page has gone in the middle of an answer
        finally:
            del self._pages[socket]
        return socket

    async def _show(
        self, socket: web.WebSocketResponse, owner: Owner, size: Size, asked: Mapping[str, str]
    ) -> None:
        try:
            session = await self.sessions.open(owner, asked.get("session", ""), size)
        except NoRoomError as full:
            await socket.send_json(["refused", str(full)])
            await socket.close(code=REFUSED)
            return
        try:
            await self.sessions.attach(session, socket, asked.get("page", ""), size)
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await session.receive(socket, _read_json(message.data))
        finally:
            self.sessions.detach(session, socket)


def _is_ours(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # the latter for lists in lists without end
        return None


def _page(name: str, status: int = 200, **values: str) -> web.Response:
    template = Template((_PAGES / name).read_text(encoding="utf-8"))
    return web.Response(status=status, text=template.substitute(values), content_type="text/html")


def check(serving: Serving) -> None:
    """Refuse what would let strangers in. Raises InputError."""
    if serving.learners is not None:
        if not serving.learners.names():
            raise InputError(
                "nobody can log in yet",
                advice="Add a learner first: studyattn --db … serve --add-learner NAME",
            )
    elif serving.doors.token is None and not is_loopback(serving.doors.host):
        raise InputError(
            "without a token, anyone who can reach this machine could use the app",
            where="--no-token",
            advice="Leave it out, or serve on 127.0.0.1",
        )


def login_name(home: Home, name: str) -> str:
    """Return a learner's name as the shared database has it. Raises InputError."""
    if home.server is None:
        raise InputError(
            "logins need a shared database",
            where="--add-learner",
            advice="Name it with --db",
        )
    return read_address(home.server.url, name).learner


async def serve(serving: Serving, tell: Callable[[str], None]) -> None:
    """Serve until a signal asks for the end. `tell` gets the address. Raises InputError."""
    check(serving)
    server = Server(serving)
    port = await server.start()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(each, stopped.set)
    tell(address(serving.doors, port))
    try:
        await stopped.wait()
    finally:
        await server.stop()


def address(doors: Doors, port: int) -> str:
    """Return the address to open, with the token in it."""
    host = f"[{doors.host}]" if ":" in doors.host else doors.host
    token = "" if doors.token is None else f"?token={doors.token}"
    return f"http://{host}:{port}/{token}"
