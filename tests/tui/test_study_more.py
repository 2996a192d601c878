"""Study more: the offers of each screen, and the session that one of them begins."""

from __future__ import annotations

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import open_profile
from studyattn.study.review import batch
from tests.tui.conftest import OpenApp, Typed, last_line, press, text_of


async def test_more_is_offered_when_the_day_is_done(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    with open_profile(home, clock) as profile:
        for setting in ("new_per_day", "drills_per_day"):
            profile.change_setting(setting, "0")
        batch.answer(profile, "small:softmax-sum", Rating.EASY)
    async with open_app(home) as pilot:
        assert "study more" in last_line(pilot)
        await press(pilot, "space")
        assert "The hardest: 1 card" in text_of(pilot)
        await press(pilot, Typed("hard"), "enter")
        assert "Why do the weights of a query sum to 1?" in text_of(pilot)
        await press(pilot, "space", "3")
        assert "Done for now" in text_of(pilot)
        await press(pilot, "u")
        assert "Why do the weights of a query sum to 1?" in text_of(pilot)


async def test_a_concept_a_search_and_the_list_of_cards_offer_theirs(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "p", "enter", "S")
        assert "All of these: 2 cards" in text_of(pilot)
        await press(pilot, "enter")
        assert "Why do the weights of a query sum to 1?" in text_of(pilot)
        await press(pilot, "escape", "escape", "b", Typed("variance"), "down", "S")
        assert "All of these" in text_of(pilot)
        await press(pilot, "escape", "escape", "escape", "t", "slash", "f6")
        assert "nothing more to study here" in last_line(pilot)
        await press(pilot, Typed("variance"), "f6")
        assert "All of these" in text_of(pilot)
