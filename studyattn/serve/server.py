"""The server: its pages, the websocket, and who gets which of them."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import textual_serve
from aiohttp import WSMsgType, web

from studyattn.address import read_address
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.serve.access import Doors, FailureLimit, Visitor, Visitors, is_loopback
from studyattn.serve.learners import Learners
from studyattn.serve.process import Size, environment_of_app, own_environment
from studyattn.serve.sessions import REFUSED, NoRoomError, Sessions

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


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served, and to whom."""

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
        self._visitors = Visitors()
        self._by_name = FailureLimit(time.monotonic)
        self._by_address = FailureLimit(time.monotonic, most=_MOST_FAILURES_OF_AN_ADDRESS)
        self._cookie = "studyattn"
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
        return found

    async def stop(self) -> None:
        """End every app in order, then listen no more."""
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
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    def _visitor(self, request: web.Request) -> Visitor | None:
        return self._visitors.find(request.cookies.get(self._cookie))

    def _owner(self, request: web.Request) -> str | None:
        """Return whose sessions a request may open; None: nobody's."""
        visitor = self._visitor(request)
        if visitor is None:
            return None
        return "" if self._serving.learners is None else visitor.learner

    # Pages.

    async def _index(self, request: web.Request) -> web.Response:
        visitor = self._visitor(request)
        if visitor is None:
            if not self._serving.doors.knows_token(request.query.get("token", "")):
                return web.Response(status=403, text=_REFUSED)
            visitor = self._visitors.new()
        if self._serving.learners is not None and visitor.learner is None:
            return self._with_cookie(self._login_page(), visitor)
        size = self._serving.font_size
        page = _page(
            "index.html",
            font_size="" if size is None else str(size),
            learner="" if visitor.learner is None else "yes",
        )
        return self._with_cookie(page, visitor)

    def _login_page(self, told: str = "", status: int = 200) -> web.Response:
        return _page("login.html", status, told=told)

    def _with_cookie(self, response: web.Response, visitor: Visitor) -> web.Response:
        response.set_cookie(self._cookie, visitor.cookie, httponly=True, samesite="Strict")
        return response

    async def _state(self, request: web.Request) -> web.Response:
        return web.Response(status=403 if self._owner(request) is None else 204)

    async def _log_in(self, request: web.Request) -> web.Response:
        visitor, learners = self._visitor(request), self._serving.learners
        if visitor is None or learners is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        form = await request.post()
        name, password = str(form.get("name", "")).strip().lower(), str(form.get("password", ""))
        address = request.remote or ""
        key = f"{address} {name[:60]}"
        if self._by_name.is_reached(key) or self._by_address.is_reached(address):
            return self._login_page("Too many wrong passwords. Try again in a minute.", 429)
        # Counted before it is looked at: many requests at once get no more tries.
        self._by_name.note(key)
        self._by_address.note(address)
        if not await asyncio.to_thread(learners.knows, name, password):
            return self._login_page("The name or the password is wrong.", 401)
        self._by_name.forgive(key)
        self._by_address.forgive(address)
        self._visitors.forget(visitor)
        known = self._visitors.new()  # another cookie: one that was planted before is worth nothing
        known.learner = name
        return self._with_cookie(web.Response(status=303, headers={"Location": "/"}), known)

    async def _log_out(self, request: web.Request) -> web.Response:
        visitor = self._visitor(request)
        if visitor is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        visitor.learner = None
        return web.Response(status=303, headers={"Location": "/"})

    def _is_own(self, request: web.Request) -> bool:
        return Doors.is_own_page(request.headers.get("Origin"), request.headers.get("Host", ""))

    # The terminal.

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        owner = self._owner(request)
        if owner is None or not self._is_own(request):
            return web.Response(status=403, text=_REFUSED)
        asked = request.query
        size = Size.read(asked.get("width"), asked.get("height"))
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LARGEST_MESSAGE, compress=False)
        await socket.prepare(request)
        try:
            session = await self.sessions.open(owner, asked.get("session", ""), size)
        except NoRoomError as full:
            await socket.send_json(["refused", str(full)])
            await socket.close(code=REFUSED)
            return socket
        try:
            await self.sessions.attach(session, socket, asked.get("page", ""), size)
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await session.receive(socket, _read_json(message.data))
        except ConnectionError:
            pass  # the page has gone in the middle of an answer
        finally:
            self.sessions.detach(session, socket)
        return socket


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
