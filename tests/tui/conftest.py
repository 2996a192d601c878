"""A learner's home with one small pack, a clock that stands still, and the app upon them."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.tui.app import StudyApp
from studyattn.tui.theme import Look, theme_named, wear
from tests.tui.pack import write_pack

NOON = datetime(2026, 11, 21, 11, 0, tzinfo=UTC)
OpenApp = Callable[..., AbstractAsyncContextManager[Pilot[None]]]


@pytest.fixture(autouse=True, scope="session")
def _styles_parsed_once() -> Iterator[None]:
    """Keep the rules of style sheets from one app to the next.

    A sheet is parsed again where its text or a variable of the theme is another one.
    """
    parse = Stylesheet._parse_rules
    kept: dict[Hashable, list[RuleSet]] = {}

    def parse_rules(sheet: Stylesheet, css: str, *place: Any, **kind: Any) -> list[RuleSet]:
        variables = frozenset(sheet._variables.items())
        key = (css, place, tuple(kind.items()), variables)
        if key not in kept:
            kept[key] = parse(sheet, css, *place, **kind)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_rules)
        yield


@pytest.fixture(autouse=True, scope="session")
def _drawn_when_settled() -> Iterator[None]:
    """Draw what the terminal shows once things are settled, not 40 times a second.

    Nobody sees what is drawn between, which takes a third of a test's time. `settle` draws.
    """
    drawn = Compositor.render_update

    def render_update(
        compositor: Compositor, full: bool = False, **kind: Any
    ) -> RenderableType | None:
        if full:  # for `draw`, and for a picture
            return drawn(compositor, full, **kind)
        compositor._dirty_regions.clear()
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compositor, "render_update", render_update)
        yield


@pytest.fixture(autouse=True, scope="session")
def _idle_is_an_empty_loop() -> Iterator[None]:
    """Take the app for idle when its loop has nothing to run, not when it uses little processor.

    On a busy machine a process that waits for its turn uses little processor, too.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textual.app.wait_for_idle", idle)
        patch.setattr("textual.pilot.wait_for_idle", idle)
        yield


@pytest.fixture(autouse=True)
def no_builtin_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the small pack, so that a word in the built-in one breaks no test here."""
    empty = tmp_path / "no-content"
    empty.mkdir()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: empty)
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture(autouse=True)
def dark() -> None:
    """Texts that are drawn without an app have the colours of the dark theme."""
    wear(theme_named(Look.DARK))


@pytest.fixture(autouse=True)
def no_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions begin with their cards; `test_lesson` has the lessons."""
    monkeypatch.setattr("studyattn.study.lessons.LessonBook.before", lambda _book, _card: None)


@pytest.fixture
def clock() -> FixedClock:
    """Saturday 21 November 2026, noon on a clock one hour east of UTC."""
    return FixedClock(NOON, 60)


@pytest.fixture
def empty_home(tmp_path: Path) -> Home:
    """A first start, without a pack."""
    return Home(tmp_path / "home")


@pytest.fixture
def home(empty_home: Home) -> Home:
    """A first start with the small pack."""
    write_pack(empty_home.root / "packs" / "small")
    return empty_home


@pytest.fixture
def open_app(clock: FixedClock) -> Iterator[OpenApp]:
    """Opens the app of a home in a terminal of a size, loaded; fails on any bug it logged."""
    homes: list[Home] = []

    @asynccontextmanager
    async def open_it(
        home: Home, size: tuple[int, int] = (80, 24), look: Look = Look.DARK
    ) -> AsyncIterator[Pilot[None]]:
        homes.append(home)
        app = StudyApp(home, clock, look)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            yield pilot

    yield open_it
    for each in homes:
        log = each.root / "errors.log"
        assert not log.exists(), log.read_text(encoding="utf-8")


def app_of(pilot: Pilot[None]) -> StudyApp:
    """The app by its own type."""
    assert isinstance(pilot.app, StudyApp)
    return pilot.app


async def idle(_least: float = 0) -> None:
    """Until nothing is left to run in this loop: all else waits for a thread, a timer, a file."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # no public way
    await asyncio.sleep(0)
    while ready:  # noqa: ASYNC110 - the loop sets no event when it is empty
        await asyncio.sleep(0)


async def settle(pilot: Pilot[None], *, drawn: bool = True) -> None:
    """Until every screen has done what it was asked to, and has drawn it."""
    app = app_of(pilot)
    with app._context():  # a test may have two apps
        while not await is_settled(pilot, app):
            pass
        if drawn:
            draw(pilot)


async def is_settled(pilot: Pilot[None], app: StudyApp) -> bool:
    """Let the app do what it has to do now; False if that may have brought more."""
    await pilot.pause()
    await idle()
    if app._resize_event is not None:
        app._check_resize()
        return False
    if frame_is_due(app.screen):
        return False
    settled = asyncio.ensure_future(app.settled())
    await asyncio.sleep(0)
    at_once = settled.done()
    await settled
    return at_once


def frame_is_due(screen: Screen[Any]) -> bool:
    """Whether the screen waits for its next frame, to lay out, to draw or to call what follows."""
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )


def draw(pilot: Pilot[None]) -> None:
    """Draw the screen, and the one that a dialog leaves in sight, as a terminal would show them."""
    app = pilot.app
    app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)


class Typed(str):
    """A text that is typed, settled once at its end."""

    __slots__ = ()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after another, each one settled; after the last one the screen is drawn."""
    for place, key in enumerate(keys, 1):
        await pilot.press(*([*key] if isinstance(key, Typed) else [key]))
        await settle(pilot, drawn=place == len(keys))


async def until(pilot: Pilot[None], condition: Callable[[], bool], *, settled: bool = True) -> None:
    """Wait for what a worker, a watcher of files or a later frame brings about."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - other processes set no event
            await asyncio.sleep(0.02)
    if settled:
        await settle(pilot)


async def until_shown(pilot: Pilot[None], text: str) -> None:
    """Until the terminal shows `text`, which a timer brings; fails after ten seconds without."""
    for _ in range(200):
        draw(pilot)
        if text in text_of(pilot):
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{text!r} is not shown:\n{text_of(pilot)}")


def text_of(pilot: Pilot[None]) -> str:
    """What the terminal shows, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def last_line(pilot: Pilot[None]) -> str:
    """What the keys do now."""
    return text_of(pilot).splitlines()[-1]


def children(*parents: str) -> set[str]:
    """The processes that these or this one have started: of a model its server, of that workers."""
    asked = ["ps", "-o", "pid=", "--ppid", ",".join(parents) or str(os.getpid())]
    listed = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return {pid for pid in listed.split() if Path(f"/proc/{pid}/exe").exists()}
