"""Which page a session listens to, when several show it one after another or at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

from studyattn.serve.access import Owner
from studyattn.serve.process import AppProcess, Size
from studyattn.serve.sessions import ENDED, TAKEN_OVER, Session

SIZE = Size(80, 24)


class App:
    """An app that draws nothing and keeps what is typed."""

    def __init__(self) -> None:
        self.typed = ""
        self.over = asyncio.Event()

    async def output(self) -> AsyncIterator[bytes]:
        await self.over.wait()
        if not self.over.is_set():  # never: it draws nothing
            yield b""

    async def type(self, text: str) -> None:
        self.typed += text

    async def tell(self, kind: str, **_: object) -> None:
        await asyncio.sleep(0)

    async def last_words(self) -> str:
        return ""

    async def end(self) -> None:
        """Take a while, as an app that saves does."""
        await asyncio.sleep(0.05)
        self.over.set()


class Page:
    """The socket of a page, with what it was sent and how it was closed."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.code = 0

    async def send_bytes(self, data: bytes) -> None:
        self.sent.append(data)

    async def send_json(self, data: Any) -> None:
        await asyncio.sleep(0)
        self.sent.append(data)

    async def close(self, *, code: int = 1000) -> None:
        self.code = code


async def test_what_a_page_sent_before_another_took_over_costs_that_one_no_key() -> None:
    app, first, second = App(), Page(), Page()
    session = Session(Owner("anna"), cast("AppProcess", app), lambda _: None)
    await session.attach(first, "one", SIZE)
    await session.receive(first, ["stdin", "a", 1])
    await session.attach(second, "two", SIZE)
    assert first.code == TAKEN_OVER
    await session.receive(first, ["stdin", "late", 7])
    await session.receive(second, ["stdin", "b", 1])
    assert app.typed == "ab"
    app.over.set()
    await session._showing


async def test_of_two_pages_that_come_at_once_one_is_told_of_the_other() -> None:
    app, pages = App(), [Page(), Page()]
    session = Session(Owner("anna"), cast("AppProcess", app), lambda _: None)
    async with asyncio.TaskGroup() as group:
        for number, page in enumerate(pages):
            group.create_task(session.attach(page, str(number), SIZE))
    assert [page.code for page in pages] == [TAKEN_OVER, 0]
    app.over.set()
    await session._showing


async def test_no_key_reaches_an_app_whose_learner_was_dismissed() -> None:
    app, before, after = App(), Page(), Page()
    session = Session(Owner("anna"), cast("AppProcess", app), lambda _: None)
    await session.attach(before, "one", SIZE)
    await session.receive(before, ["stdin", "a", 1])
    ending = asyncio.create_task(session.dismiss("You are out."))
    await asyncio.sleep(0)
    await session.receive(before, ["stdin", "late", 2])
    await session.attach(after, "two", SIZE)  # it had found the session just before
    await session.receive(after, ["stdin", "late", 1])
    await ending
    assert app.typed == "a"
    for page in (before, after):
        assert page.sent[-1] == ["ended", "You are out."]
        assert page.code == ENDED


async def test_a_page_that_comes_while_the_app_ends_is_told_so() -> None:
    app, page = App(), Page()
    session = Session(Owner("anna"), cast("AppProcess", app), lambda _: None)
    await session.end()
    await session.attach(page, "one", SIZE)
    assert page.sent[-1] == ["ended", ""]
    assert page.code == ENDED
