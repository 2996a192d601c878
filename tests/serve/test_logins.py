"""Who stays logged in and who does not: a real server, a real PostgreSQL, real connections."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("textual_serve", reason="textual-serve is not installed")
pytest.importorskip("argon2", reason="argon2-cffi is not installed")

import aiohttp
from yarl import URL

from studyattn.home import Home
from studyattn.serve.learners import Learners
from tests.databases import LEARNER, Server
from tests.serve.running import answers, prepared, served
from tests.serve.terminal import Terminal

_SECONDS = 60
_PASSWORD = "correct horse"


@dataclass(frozen=True)
class Site:
    """A server where `learner` and ben can log in, and a command beside it."""

    folder: Path
    address: str
    process: subprocess.Popen[str]
    environment: dict[str, str]

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    def run(self, *options: str, typed: str = "") -> None:
        """Run `studyattn serve` with other options in a process of its own."""
        subprocess.run(
            [sys.executable, "-m", "studyattn", "--home", str(self.folder), "serve", *options],
            check=True,
            env={**os.environ, **self.environment},
            input=typed,
            text=True,
            capture_output=True,
            start_new_session=True,  # no terminal to ask for the password
        )

    def apps(self) -> list[int]:
        """The processes of the app that run."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,  # 1: there are none
        )
        return [int(each) for each in listed.stdout.split()]

    def wait_for_apps(self, condition: Callable[[list[int]], bool]) -> None:
        """Wait until something is true of the processes of the app."""
        until = time.monotonic() + _SECONDS
        while not condition(self.apps()):
            assert time.monotonic() < until
            time.sleep(0.05)


class Person:
    """A browser without a screen."""

    def __init__(self, session: aiohttp.ClientSession, origin: str) -> None:
        self.session, self.origin = session, origin
        self.terminal = Terminal()
        self.number = 0

    async def log_in(self, name: str, password: str = _PASSWORD, **headers: str) -> int:
        form = {"name": name, "password": password}
        async with self.session.post(
            f"{self.origin}/login",
            data=form,
            headers={"Origin": self.origin, **headers},
            allow_redirects=False,
        ) as answer:
            return int(answer.status)

    async def status(self, path: str) -> int:
        async with self.session.get(self.origin + path) as answer:
            return int(answer.status)

    async def page(self) -> str:
        async with self.session.get(self.origin) as answer:
            return str(await answer.text())

    def socket(self) -> Any:
        return self.session.ws_connect(
            f"{self.origin}/ws?width=100&height=30&page=p", origin=self.origin
        )

    def cookie(self) -> str:
        """The cookie that says who this is."""
        port = urlsplit(self.origin).port
        jar = self.session.cookie_jar
        return str(next(each.value for each in jar if each.key == f"studyattn-{port}"))

    def steal(self, cookie: str) -> None:
        """Have no other cookie than this."""
        self.session.cookie_jar.clear()
        port = urlsplit(self.origin).port
        self.session.cookie_jar.update_cookies({f"studyattn-{port}": cookie}, URL(self.origin))

    async def press(self, socket: Any, *keys: str) -> None:
        for key in keys:
            self.number += 1
            await socket.send_json(["stdin", key, self.number])

    async def wait_for(self, socket: Any, words: str) -> None:
        async with asyncio.timeout(_SECONDS):
            while words not in self.terminal.text:
                message = await socket.receive()
                if message.type == aiohttp.WSMsgType.BINARY:
                    self.terminal.feed(message.data.decode())
                else:
                    assert message.type == aiohttp.WSMsgType.TEXT, (message, self.terminal.text)


async def farewell(socket: Any) -> str:
    """Read to the end of a page's connection; return what it was told."""
    words = ""
    async with asyncio.timeout(_SECONDS):
        while (message := await socket.receive()).type != aiohttp.WSMsgType.CLOSE:
            if message.type == aiohttp.WSMsgType.TEXT and message.json()[0] == "ended":
                words = message.json()[1]
    assert message.data == 4000
    return words


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list of who may log in, made once: to hash a password takes a while."""
    path = tmp_path_factory.mktemp("served") / "learners.json"
    for name in (LEARNER, "ben"):
        Learners(path).add(name, _PASSWORD)
    return path


@pytest.fixture
def site(tmp_path: Path, server: Server, _stocked_database: str, listed: Path) -> Iterator[Site]:
    folder = tmp_path / "home"
    (folder / "served").mkdir(parents=True)
    shutil.copy(listed, folder / "served")
    with server.database(f"TEMPLATE {_stocked_database}") as database:
        environment = {"STUDYATTN_DB": server.address(database).url}
        with served(folder, "--port", "0", "--no-token", environment=environment) as (url, process):
            yield Site(folder, url, process, environment)


@asynccontextmanager
async def people(site: Site, *names: str) -> AsyncIterator[list[Person]]:
    """Browsers with the form of the log-in open; those with a name have logged in."""
    async with AsyncExitStack() as stack:
        found = []
        for name in names:
            jar = aiohttp.CookieJar(unsafe=True)
            session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
            person = Person(session, site.origin)
            assert 'type="password"' in await person.page()
            if name:
                assert await person.log_in(name) == 303
            found.append(person)
        yield found


@pytest.mark.parametrize(
    ("options", "typed", "told"),
    [
        (("--remove-learner", LEARNER), "", "Your login was removed."),
        (
            ("--add-learner", LEARNER),
            "another horse\nanother horse\n",
            "Your password was changed.",
        ),
    ],
)
async def test_who_may_no_longer_log_in_is_out_at_once_and_others_stay(
    site: Site, server: Server, options: tuple[str, ...], typed: str, told: str
) -> None:
    url = site.environment["STUDYATTN_DB"]
    home = Home(site.folder / "served" / LEARNER, server.address(urlsplit(url).path[1:]))
    prepared(home)
    async with people(site, LEARNER, "ben") as (anna, ben):
        async with anna.socket() as hers:
            await anna.wait_for(hers, "start")
            (app,) = site.apps()
            async with ben.socket() as his:
                # Both are read all the time: who does not answer a ping has gone.
                seeing = asyncio.create_task(ben.wait_for(his, "Undo the last review"))
                await anna.press(hers, " ")
                await anna.wait_for(hers, "Question")
                await anna.press(hers, " ")
                await anna.wait_for(hers, "Answer")
                await anna.press(hers, "3")
                await anna.wait_for(hers, "Question 1")  # the answer is in the database
                hearing = asyncio.create_task(farewell(hers))
                await asyncio.to_thread(site.run, *options, typed=typed)
                async with asyncio.timeout(5):
                    assert await hearing == told
                assert await anna.status("/state") == 401
                assert 'type="password"' in await anna.page()
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await anna.socket()
                await asyncio.to_thread(site.wait_for_apps, lambda running: app not in running)
                assert await ben.status("/state") == 204
                await ben.press(his, "?")
                await seeing
        assert await anna.log_in(LEARNER) == 401
        assert await anna.log_in(LEARNER, "another horse") == (303 if typed else 401)
        assert answers(home) == 1
        assert not list(home.root.glob("errors.log"))


async def test_a_page_whose_line_was_down_meanwhile_finds_nobodys_session(site: Site) -> None:
    async with people(site, LEARNER) as (anna,):
        async with anna.socket() as hers:
            await anna.wait_for(hers, "start")
            before = site.apps()
        site.run("--add-learner", LEARNER, typed="another horse\nanother horse\n")
        assert await anna.log_in(LEARNER, "another horse") == 303
        async with anna.socket() as hers:
            await anna.wait_for(hers, "start")  # an app of her own, not the one of before
            await asyncio.to_thread(
                site.wait_for_apps, lambda running: len(running) == 1 and running != before
            )


async def test_strangers_push_nobody_out(site: Site) -> None:
    async with people(site, LEARNER, "") as (anna, stranger):
        for _ in range(55):
            stranger.session.cookie_jar.clear()
            visits = (stranger.status("/") for _ in range(20))
            assert set(await asyncio.gather(*visits)) == {200}
        assert await anna.status("/state") == 204


async def test_wrong_passwords_of_strangers_do_not_keep_out_a_browser_that_is_known(
    site: Site,
) -> None:
    async with people(site, LEARNER, "") as (anna, stranger):
        for wrong in range(5):
            assert await stranger.log_in(LEARNER, f"guess {wrong}") == 401
        others = (stranger.log_in(f"name {other}", "a guess") for other in range(25))
        assert set(await asyncio.gather(*others)) == {401}
        assert await stranger.log_in(LEARNER) == 429  # the right one, too: nobody can guess on
        assert await stranger.log_in("ben") == 429
        assert await anna.log_in(LEARNER) == 303
        assert await anna.log_in("ben") == 429  # it is known for one name
        # The known browser has five tries of its own.
        for wrong in range(5):
            assert await anna.log_in(LEARNER, f"guess {wrong}") == 401
        assert await anna.log_in(LEARNER) == 429
        site.run("--add-learner", LEARNER, typed=f"{_PASSWORD}\n{_PASSWORD}\n")
        assert await anna.log_in(LEARNER) == 429


async def test_a_cookie_is_another_one_after_each_log_in_and_worth_nothing_after_the_last(
    site: Site,
) -> None:
    async with people(site, "", "") as (anna, thief):
        planted = anna.cookie()
        assert await anna.log_in(LEARNER) == 303
        first = anna.cookie()
        assert await anna.log_in(LEARNER, **{"X-Forwarded-Proto": "https"}) == 303
        second = anna.cookie()
        assert len({planted, first, second}) == 3
        for cookie, status in ((planted, 401), (first, 401), (second, 204), (second[:-1], 403)):
            thief.steal(cookie)
            assert await thief.status("/state") == status
        thief.steal(second)
        async with thief.socket() as other_tab:
            await thief.wait_for(other_tab, "start")
            for origin, status in (("http://evil.example", 403), (site.origin, 303)):
                async with thief.session.post(
                    f"{site.origin}/logout", headers={"Origin": origin}, allow_redirects=False
                ) as answer:
                    assert answer.status == status
            assert await farewell(other_tab) == "You logged out."
        thief.steal(second)
        assert await thief.status("/state") == 401
        flags = [(each["httponly"], each["samesite"]) for each in anna.session.cookie_jar]
        assert flags == [(True, "Strict")] * 2
        assert all(each["secure"] for each in anna.session.cookie_jar)


async def test_a_list_that_cannot_be_read_lets_nobody_in_and_throws_nobody_out(site: Site) -> None:
    listed = site.folder / "served" / "learners.json"
    async with people(site, LEARNER, "") as (anna, stranger), anna.socket() as hers:
        await anna.wait_for(hers, "start")
        before = listed.read_text()
        listed.write_text("[")
        assert await stranger.log_in(LEARNER) == 503
        assert await anna.status("/state") == 503
        await asyncio.sleep(1)
        await anna.press(hers, "?")
        await anna.wait_for(hers, "Undo the last review")
        listed.write_text(before)
        assert await anna.status("/state") == 204
