"""A drill within the day's session, with a real worker: mistake, cards, rating, and all undone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from studyattn.home import Home
from studyattn.memory import Rating, Remembered
from studyattn.study.clock import FixedClock
from studyattn.study.lessons import LessonBook, skip
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.profile import Profile
from studyattn.tui.dialogs.dialog import RatingScreen
from studyattn.tui.drill.pages import DrillPage
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.debrief import DebriefScreen
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.review import ReviewScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of, until
from tests.tui.drills import (
    CONTENT,
    GUID,
    RIGHT,
    UNSCALED,
    due_for_it,
    editor,
    graded,
    memory_of,
)


@pytest.fixture(autouse=True)
def built_in_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


def make_due_later(profile: Profile) -> None:
    """The drill was rated once, so it comes back, and stands before the cards."""
    with PracticeSession(profile, "attention") as session:
        session.rate(Rating.GOOD)
    profile.change_setting("interleave", "first")
    for lesson in LessonBook(profile).all():  # so that cards of all concepts can come back
        skip(profile, lesson)


def shows(pilot: Pilot[None], kind: type[Screen[Any]]) -> bool:
    return isinstance(pilot.app.screen, kind)


async def hand_in(pilot: Pilot[None], code: str, verdict: str) -> str:
    """Write the code, grade it, and what the screen says then."""
    await press(pilot, "d")
    screen = pilot.app.screen
    assert isinstance(screen, DrillScreen)
    editor(screen).text = code
    await press(pilot, "ctrl+s")
    await until(pilot, graded(screen, verdict))
    return text_of(pilot)


async def test_the_whole_loop_and_back(
    stocked_home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(stocked_home) as pilot:
        ask = app_of(pilot).database.run_with_profile
        await ask(make_due_later)
        clock.advance(timedelta(days=9))
        before = await ask(memory_of)
        await press(pilot, "c", "escape")
        assert "1 drill" in text_of(pilot)

        await press(pilot, "space")
        assert shows(pilot, ReviewScreen)
        assert "Every query is compared with" in text_of(pilot)  # the due drill, asked first
        await press(pilot, "d")
        shown = await hand_in(pilot, UNSCALED, "wrong")
        assert "The scores are not divided by √d." in shown
        assert re.search(r"“Scaling by 1/√dₖ”   \d cards? due", shown)
        assert "Smallest failing input" in shown
        brought_back = await ask(due_for_it)
        assert brought_back

        clock.advance(timedelta(minutes=3))
        assert "✓ Passed" in await hand_in(pilot, RIGHT, "passed")
        assert "space rate and finish" in last_line(pilot)
        await press(pilot, "space")
        assert shows(pilot, RatingScreen)
        assert "after 1 failed submission" in text_of(pilot)
        await press(pilot, "enter")
        assert shows(pilot, DebriefScreen)
        learnt = text_of(pilot)
        assert "It comes back" in learnt
        assert "✗ The scores are not divided by √d." in learnt
        assert "Your code and the solution" in learnt
        await press(pilot, "g")
        assert shows(pilot, ConceptScreen)
        assert (
            "Scaling by 1/√dₖ" in text_of(pilot).splitlines()[0]
        )  # the mistake's, not the drill's
        await press(pilot, "escape")
        await press(pilot, "space")
        assert shows(pilot, ReviewScreen)
        after = await ask(memory_of)
        assert isinstance(after, Remembered)
        assert after.due > clock.now()
        assert after != before
        await press(pilot, "enter", "3")  # the first card that the mistake brought back
        assert await ask(due_for_it) == brought_back[1:]
        await take_all_back(pilot, brought_back, before)


@pytest.mark.parametrize("size", [(80, 24), (160, 50), (55, 49)])
async def test_a_day_that_a_drill_makes_longer_says_so(
    stocked_home: Home, open_app: OpenApp, clock: FixedClock, size: tuple[int, int]
) -> None:
    async with open_app(stocked_home, size) as pilot:
        ask = app_of(pilot).database.run_with_profile
        await ask(make_due_later)
        await ask(lambda profile: profile.change_setting("minutes_per_day", "1"))
        clock.advance(timedelta(days=9))
        await press(pilot, "c", "escape")
        assert "today has a long drill: about 4 min" in text_of(pilot)


async def test_a_mistake_does_not_jump_the_path(stocked_home: Home, open_app: OpenApp) -> None:
    async with open_app(stocked_home) as pilot:
        app_of(pilot).go("drill", "attention")
        await settle(pilot)
        shown = " ".join((await hand_in(pilot, UNSCALED, "wrong")).split())
        assert "→ Scaling by 1/√dₖ is explained in lesson 8 of 60: Dot product" in shown
        assert "4 more come before it." in shown
        await press(pilot, "escape", "escape")
        app_of(pilot).go("today")
        await settle(pilot)
        await press(pilot, "space")
        assert "Dot product" in text_of(pilot).splitlines()[0]  # these tests leave lessons out
        app_of(pilot).go("lesson", "scaling")
        await settle(pilot)
        assert "Lesson 8 of 60" in text_of(pilot)
        assert "and 4 more come before it." in " ".join(text_of(pilot).split())


async def take_all_back(pilot: Pilot[None], brought_back: list[str], before: object) -> None:
    """The card's answer, the drill's rating, and at the drill the cards that came back."""
    ask = app_of(pilot).database.run_with_profile
    await press(pilot, "u")
    assert await ask(due_for_it) == brought_back
    await press(pilot, "u")
    assert await ask(memory_of) == before
    await press(pilot, "d", "escape", "u")
    assert "undone: cards brought back" in last_line(pilot)
    assert await ask(due_for_it) == []
    assert await ask(memory_of) == before
    history = (await ask(lambda profile: PracticeSession(profile, "attention"))).history()
    assert [each.verdict for each in history][-2:] == ["wrong", "passed"]  # seen is seen


async def test_today_shows_the_due_drill_and_where_it_stands(
    stocked_home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(stocked_home) as pilot:
        ask = app_of(pilot).database.run_with_profile
        await ask(make_due_later)
        clock.advance(timedelta(days=9))
        await press(pilot, "c", "escape")
        seen = []
        for _ in range(4):
            now = next(line for line in text_of(pilot).splitlines() if line.strip()[:4] == "Now ")
            seen.append(now.partition("   o ")[2])
            await press(pilot, "o")
        assert seen == ["drills first", "", "drills mixed in", "1 drill left out"]

        await press(pilot, "o", "o", "o", "space")  # only cards
        shown = pilot.app.screen
        assert isinstance(shown, ReviewScreen)
        assert re.search(r"\d+ new", text_of(pilot))
        assert "Every query is compared with" not in text_of(pilot)


async def test_a_verdict_of_before_is_shown_when_the_drill_is_opened_again(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = DrillScreen("attention")
        pilot.app.push_screen(screen)
        await until(pilot, lambda: screen.is_attached)
        editor(screen).text = UNSCALED
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        await press(pilot, "escape", "escape")
        again = DrillScreen("attention")
        pilot.app.push_screen(again)
        await until(pilot, lambda: again.verdict == "wrong")
        again.open_page(DrillPage.HISTORY)
        await press(pilot, "down")
        assert "scale-missing" in text_of(pilot)
        assert "expected" in text_of(pilot)
        assert GUID.endswith(again.identifier)
