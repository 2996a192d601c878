"""A lesson on its screen: pages, outputs that are asked, its cards, leaving it and skipping it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.store.queries.days import DayTotal, day_totals
from studyattn.study.clock import FixedClock
from studyattn.study.lessons import LessonBook
from studyattn.study.profile import Profile
from studyattn.study.review.pace import SECONDS
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.lesson import LessonScreen
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.screens.today import TodayScreen
from tests.study.test_lessons import FIRST, SECOND
from tests.tui.conftest import OpenApp, Typed, app_of, last_line, press, text_of

_BEFORE = LessonBook.before


@pytest.fixture
def taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A first start with a pack of two lessons."""
    monkeypatch.setattr(LessonBook, "before", _BEFORE)  # see conftest
    pack = tmp_path / "home" / "packs" / "p"
    (pack / "concepts").mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'id = "p"\ntitle = "P"\nversion = "1"\nlanguage = "en"\npath = ["first", "second"]\n'
    )
    (pack / "concepts/first.md").write_text(FIRST)
    (pack / "concepts/second.md").write_text(SECOND)
    return Home(tmp_path / "home")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_page_its_prediction_and_its_cards(
    taught: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(taught, size) as pilot:
        await press(pilot, "space")
        first = text_of(pilot).splitlines()[0]
        assert "Lesson 1 of 2 · The first" in first
        assert "1 of 2" in first
        assert "print(1 + 1)" in text_of(pilot)
        assert "What will it print?" in text_of(pilot)
        assert "Text of one." not in text_of(pilot)
        await press(pilot, Typed("3"), "enter")
        assert "✗ you said 3" in text_of(pilot)
        assert "One and one are counted twice." in text_of(pilot)
        assert "Text of one." in text_of(pilot)
        assert "needed for: The second" in text_of(pilot)
        assert "space answer 2 cards" in last_line(pilot)
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert "B?" in text_of(pilot)
        await press(pilot, "space", "4", "space", "4")
        assert "Text of two." in text_of(pilot)
        assert "2 of 2" in text_of(pilot).splitlines()[0]
        await press(pilot, "left")
        assert "Text of one." in text_of(pilot)
        await press(pilot, "right", "right", "space")
        assert "C?" in text_of(pilot)


async def test_a_lesson_is_left_and_taken_up(taught: Home, open_app: OpenApp) -> None:
    async with open_app(taught) as pilot:
        await press(pilot, "space", Typed("2"), "enter")
        assert "✓ as you predicted" in text_of(pilot)
        await press(pilot, "space", "space", "4", "space", "4")
        assert "Text of two." in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TodayScreen)
        await press(pilot, "space")
        assert "Text of two." in text_of(pilot)


async def test_a_lesson_is_skipped(taught: Home, open_app: OpenApp) -> None:
    async with open_app(taught) as pilot:
        await press(pilot, "space", "escape", "k")
        assert "B?" in text_of(pilot)
        await press(pilot, "space", "4", "space", "4", "space", "4")
        assert isinstance(pilot.app.screen, ReviewScreen)
        await press(pilot, "g", "g")
        assert isinstance(pilot.app.screen, LessonScreen)
        assert "print(1 + 1)" in text_of(pilot)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, ReviewScreen)


async def test_a_long_page_is_read_before_its_question(taught: Home, open_app: OpenApp) -> None:
    file = taught.root / "packs/p/concepts/first.md"
    file.write_text(FIRST.replace("## One", "\n\n".join(["Long."] * 20) + "\n\n## One"))
    async with open_app(taught) as pilot:
        await press(pilot, "space")
        assert "What will it print?" not in text_of(pilot)
        assert "space read on" in last_line(pilot)
        await press(pilot, "space", "space")
        assert "What will it print?" in text_of(pilot)
        assert "enter check" in last_line(pilot)


async def test_a_digit_answers_only_where_the_choices_are_on_the_screen(
    taught: Home, open_app: OpenApp
) -> None:
    file = taught.root / "packs/p/concepts/first.md"
    long = "\n\n".join(["Long."] * 20)
    file.write_text(
        FIRST.replace("predict typed", "predict").replace("## One", f"{long}\n\n## One")
    )
    async with open_app(taught) as pilot:
        await press(pilot, "space")
        assert "What will it print?" not in text_of(pilot)
        assert "1–2" not in last_line(pilot)
        await press(pilot, "1", "2")
        assert "read on to the choices first" in last_line(pilot)
        await press(pilot, "space", "space")
        assert "What will it print?" in text_of(pilot)
        assert "1–2 pick" in last_line(pilot)
        await press(pilot, "up", "up", "up")
        assert "1–2" not in last_line(pilot)
        await press(pilot, "1", "2")
        assert "you said" not in text_of(pilot)
        await press(pilot, "down", "down", "down")
        wrong = next(line for line in text_of(pilot).splitlines() if line.strip().endswith("  3"))
        await press(pilot, wrong.split()[0])
        assert "✗ you said 3" in text_of(pilot)
        assert "One and one are counted twice." in text_of(pilot)


async def test_the_page_s_number_is_never_cut(taught: Home, open_app: OpenApp) -> None:
    for name in ("first", "second"):
        file = taught.root / f"packs/p/concepts/{name}.md"
        text = file.read_text()
        file.write_text(
            text.replace("title: The", "title: What a rather long title says about the")
        )
    async with open_app(taught, (60, 20)) as pilot:
        await press(pilot, "space")
        assert text_of(pilot).splitlines()[0].rstrip().endswith("1 of 2")


async def test_g_on_a_card_opens_the_page_that_prepares_for_it(
    taught: Home, open_app: OpenApp
) -> None:
    async with open_app(taught, (80, 12)) as pilot:
        await press(pilot, "slash", Typed("C?"), "ctrl+g")
        assert isinstance(pilot.app.screen, ConceptScreen)
        assert text_of(pilot).splitlines()[2].strip() == "Two"


async def test_the_time_of_reading_counts_in_the_day(
    taught: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(taught) as pilot:
        await press(pilot, "space")
        clock.advance(timedelta(seconds=50))
        await press(pilot, Typed("2"), "enter", "space")
        clock.advance(timedelta(seconds=20))
        await press(pilot, "space", "4")
        clock.advance(timedelta(seconds=5))
        await press(pilot, "space", "4", "space")  # the next page, read at once
        clock.advance(timedelta(seconds=5))
        await press(pilot, "space", "4")
        days = await app_of(pilot).database.run_with_profile(
            lambda profile: [each.seconds for each in profile_days(profile)]
        )
        assert days == [80]


def profile_days(profile: Profile) -> list[DayTotal]:
    with profile.database.read() as connection:
        return list(day_totals(connection, SECONDS))
