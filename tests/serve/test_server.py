"""The server over HTTP and websockets, with real apps: who gets in, what a page comes back to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from studyattn.address import read_address
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.serve.access import Doors
from tests.serve.terminal import Terminal

pytest.importorskip("textual_serve", reason="textual-serve is not installed")
pytest.importorskip("argon2", reason="argon2-cffi is not installed")

import aiohttp

from studyattn.serve import server as server_module
from studyattn.serve.learners import Learners
from studyattn.serve.server import Server, Serving, check

_TOKEN = "t" * 43
_SECONDS = 60


@dataclass(frozen=True)
class Client:
    """A browser without a screen."""

    session: aiohttp.ClientSession
    url: str
    server: Server

    def socket(self, page: str = "p", session: str = "", origin: str | None = None) -> Any:
        return self.session.ws_connect(
            f"{self.url}/ws?width=100&height=30&page={page}&session={session}",
            origin=origin or self.url,
        )


@asynccontextmanager
async def serving(what: Serving) -> AsyncIterator[Client]:
    """A server on a free port and a client of it."""
    server = Server(what, os.environ)
    url = f"http://127.0.0.1:{await server.start()}"
    try:
        jar = aiohttp.CookieJar(unsafe=True)  # cookies of an address, as browsers keep them
        async with aiohttp.ClientSession(cookie_jar=jar) as session:
            yield Client(session, url, server)
    finally:
        await server.stop()


def of(home: Home, **options: Any) -> Serving:
    return Serving(home, Doors(_TOKEN, "127.0.0.1"), 0, **options)


async def wait_for(socket: Any, terminal: Terminal, words: str) -> list[Any]:
    """Read until the words are drawn; return the messages that came meanwhile."""
    heard = []
    async with asyncio.timeout(_SECONDS):
        while words not in terminal.text:
            message = await socket.receive()
            if message.type == aiohttp.WSMsgType.BINARY:
                terminal.feed(message.data.decode())
            else:
                assert message.type == aiohttp.WSMsgType.TEXT, (message, terminal.text)
                heard.append(message.json())
    return heard


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_without_the_token_there_is_nothing(empty_home: Home) -> None:
    async with serving(of(empty_home)) as client:
        for path in ("/", "/?token=", "/?token=wrong", "/state", "/ws"):
            async with client.session.get(client.url + path) as answer:
                assert answer.status == 403, path
        async with client.session.get(f"{client.url}/?token={_TOKEN}") as answer:
            assert answer.status == 200
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert _TOKEN not in await answer.text()
        async with client.session.get(client.url) as answer:  # the cookie is enough now
            assert answer.status == 200
        async with client.session.get(client.url, headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
        for origin in ("http://evil.example", "null"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await client.socket(origin=origin)
            assert refused.value.status == 403
        for path in ("/page/page.js", "/terminal/js/textual.js"):
            async with client.session.get(client.url + path) as answer:
                assert answer.status == 200
        assert len(client.server.sessions) == 0


async def test_a_page_comes_back_to_its_session_and_no_key_is_lost_or_doubled(
    empty_home: Home,
) -> None:
    async with serving(of(empty_home, most_sessions=1)) as client:
        await client.session.get(f"{client.url}/?token={_TOKEN}")
        terminal = Terminal()
        async with client.socket() as socket:
            heard = await wait_for(socket, terminal, "start learning")
            name, taken = heard[0][1:]
            assert taken == 0
            running = client.server.sessions.running[0]
            async with client.socket("other") as late:  # there is room for one
                kind, words = (await late.receive()).json()
                assert kind == "refused"
                assert "1 sessions are open" in words
            await socket.send_json(["stdin", "/", 1])
            await wait_for(socket, terminal, "esc")
            await socket.send_json(["stdin", "a", 2])
            await socket.send_str("{")  # what is no message is ignored
            await socket.send_json(["resize", {"width": [], "height": -5}])
            await socket.send_json(["stdin", "x", True])
            while (await socket.receive()).data != '["taken", 2]':
                pass
        await asyncio.sleep(0)
        again = Terminal()
        async with client.socket(session=name) as socket:
            # The page did not hear that the second key was taken: it sends that again.
            await socket.send_json(["stdin", "a", 2])
            await socket.send_json(["stdin", "b", 3])
            heard = await wait_for(socket, again, "ab")
            assert heard[0] == ["session", name, 2]
            assert "aab" not in again.text
            assert is_running(running.process.pid)
            taken_over = socket
            async with client.socket("third", session=name) as newest:
                await wait_for(newest, Terminal(), "ab")
                await wait_for_close(taken_over, 4001)
                await newest.send_json(["stdin", "\x1b", 1])
                await asyncio.sleep(0.3)  # escape alone, not the beginning of a sequence
                await newest.send_json(["stdin", "q", 2])
                await wait_for_close(newest, 4000)
        assert len(client.server.sessions) == 0
        assert not is_running(running.process.pid)


async def test_connections_that_say_nothing_are_closed_and_hurt_nobody(
    empty_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_SECONDS_OF_A_STRANGER", 3.0)
    async with serving(of(empty_home)) as client, AsyncExitStack() as stack:
        await client.session.get(f"{client.url}/?token={_TOKEN}")
        terminal = Terminal()
        async with client.socket() as socket:
            await wait_for(socket, terminal, "start learning")
            silent = []
            for number in range(260):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", urlsplit(client.url).port
                )
                stack.callback(writer.close)
                writer.write(b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\n" if number % 2 else b"")
                silent.append(reader)
            async with asyncio.timeout(2):  # the oldest of too many
                for reader in silent[:60]:
                    await assert_closed(reader)
            async with client.session.get(f"{client.url}/state") as answer:
                assert answer.status == 204
            await socket.send_json(["stdin", "?", 1])
            await wait_for(socket, terminal, "Undo the last review")
            async with asyncio.timeout(_SECONDS):
                for reader in silent[60:]:
                    await assert_closed(reader)
            await socket.send_json(["stdin", "\x1b", 2])
            await wait_for(socket, terminal, "start learning")


async def test_what_is_no_request_is_refused_without_a_line_for_the_terminal(
    empty_home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(of(empty_home)) as client:
        for sent in (
            b"\x16\x03\x01\r\n\r\n",
            b"GET / HTTP/1.1\r\nX: " + b"a" * 10_000 + b"\r\n\r\n",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(client.url).port)
            writer.write(sent)
            assert b" 400 " in await reader.readline()
            writer.close()
    assert caplog.records == []


async def assert_closed(reader: asyncio.StreamReader) -> None:
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await reader.readexactly(1)


async def wait_for_close(socket: Any, code: int) -> None:
    async with asyncio.timeout(_SECONDS):
        while (message := await socket.receive()).type != aiohttp.WSMsgType.CLOSE:
            assert message.type in {aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY}
    assert message.data == code


async def test_a_session_whose_page_stays_away_ends_and_so_do_all_with_the_server(
    empty_home: Home,
) -> None:
    async with serving(of(empty_home, keep=0.0)) as client:
        await client.session.get(f"{client.url}/?token={_TOKEN}")
        async with client.socket() as socket:
            await wait_for(socket, Terminal(), "start learning")
            process = client.server.sessions.running[0].process
        async with asyncio.timeout(_SECONDS):
            await process._process.wait()
        async with client.socket() as socket:
            await socket.receive()
            process = client.server.sessions.running[0].process
            await client.server.stop()
            assert not is_running(process.pid)


async def test_why_an_app_cannot_start_is_told(empty_home: Home) -> None:
    empty_home.root.write_text("a file")
    async with serving(of(Home(empty_home.root / "below"))) as client:
        await client.session.get(f"{client.url}/?token={_TOKEN}")
        client.server._base = {**client.server._base, "PYTHONPATH": "", "PYTHONHOME": "/nowhere"}
        async with client.socket() as socket:
            async with asyncio.timeout(_SECONDS):
                while (heard := (await socket.receive()).json())[0] != "ended":
                    pass
            assert heard[1]


def shared(home: Home) -> Home:
    return replace(home, server=read_address("postgresql://user:hidden@host/study"))


async def test_learners_log_in_where_the_database_is_shared(empty_home: Home) -> None:
    learners = Learners(empty_home.root / "learners.json")
    learners.add("anna", "correct horse")
    async with serving(of(shared(empty_home), learners=learners)) as client:
        mine = {"Origin": client.url}

        async def log_in(
            password: str, name: str = "Anna", headers: Mapping[str, str] = mine
        ) -> int:
            async with client.session.post(
                f"{client.url}/login",
                data={"name": name, "password": password},
                headers=headers,
                allow_redirects=False,
            ) as answer:
                return int(answer.status)

        assert await log_in("correct horse") == 403  # without the token
        async with client.session.get(f"{client.url}/?token={_TOKEN}") as answer:
            assert 'type="password"' in await answer.text()
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await client.socket()
        assert await log_in("correct horse", headers={"Origin": "http://evil.example"}) == 403
        assert await log_in("wrong") == 401
        assert await log_in("wrong", name="nobody") == 401
        assert await log_in("correct horse") == 303
        async with client.session.get(client.url) as answer:
            assert 'id="terminal"' in await answer.text()
        environment = client.server._environment("anna", _size())
        assert environment["STUDYATTN_LEARNER"] == "anna"
        assert environment["STUDYATTN_HOME"].endswith("/served/anna")
        for _ in range(5):
            assert await log_in("wrong", name="ben") == 401
        assert await log_in("wrong", name="ben") == 429
        assert await log_in("correct horse") == 303  # another name
        async with client.session.post(f"{client.url}/logout", headers=mine) as answer:
            assert 'type="password"' in await answer.text()


def _size() -> Any:
    from studyattn.serve.process import Size

    return Size.read("100", None)


def test_strangers_are_not_let_in_by_mistake(empty_home: Home) -> None:
    open_to_all = Serving(empty_home, Doors(None, "0.0.0.0"), 0)
    with pytest.raises(InputError, match="--no-token"):
        check(open_to_all)
    check(open_to_all._replace(doors=Doors(None, "127.0.0.1")))
    learners = Learners(empty_home.root / "learners.json")
    with pytest.raises(InputError, match="nobody can log in"):
        check(open_to_all._replace(home=shared(empty_home), learners=learners))
