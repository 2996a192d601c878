"""Today: first start, what is due, nothing due, suggestions, and the keys that lead on."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from textual.containers import VerticalScroll

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import set_state
from studyattn.study.notes.own_cards import make_card
from studyattn.study.profile import glance, open_profile
from studyattn.study.review.batch import answer
from studyattn.study.statistics.today import numbers
from studyattn.tui.attention_view.example import WELCOME
from studyattn.tui.screens.debrief import FirstModelScreen
from studyattn.tui.screens.importing import ImportScreen
from studyattn.tui.screens.path import PathScreen
from studyattn.tui.screens.stats import StatsScreen
from studyattn.tui.screens.today import _known
from studyattn.tui.widgets.first_start import first_weights
from tests.study.concepts.test_path import pass_drill
from tests.tui.conftest import (
    OpenApp,
    app_of,
    last_line,
    press,
    settle,
    text_of,
    until_shown,
)
from tests.tui.drills import CONTENT


async def test_a_first_start_offers_four_ways_to_begin(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        shown = text_of(pilot)
        assert "start learning" in shown
        assert "find your place" in shown
        assert "import your own notes" in shown
        assert "browse the concepts" in shown
        assert "goal: your own GPT" in shown
        assert "space start" in last_line(pilot)
        assert "? keys" in last_line(pilot)


async def test_the_goal_is_chosen_on_the_first_screen(home: Home, open_app: OpenApp) -> None:
    with (home.root / "packs" / "small" / "pack.toml").open("a") as manifest:
        manifest.write('\n[routes]\nscaled-scores = "scaling"\n')
    async with open_app(home) as pilot:
        await press(pilot, "Y")
        shown = re.sub(" +", " ", text_of(pilot))
        assert "scaled scores 2 lessons" in shown  # scaling, and the softmax that it requires
        await press(pilot, "down", "enter")
        assert "goal: scaled scores" in text_of(pilot)
        await press(pilot, "Y", "up", "escape")
        assert "goal: scaled scores" in text_of(pilot)
        await press(pilot, "Y", "up", "space")
        assert "goal: your own GPT" in text_of(pilot)


async def test_a_phone_gets_every_remark_whole_below_what_it_is_about(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, (55, 49)) as pilot:
        lines = [line.strip() for line in text_of(pilot).splitlines()]
        assert "questions and answers, in Markdown" in lines
        await press(pilot, "space", "space", "1", "escape")
        shown = text_of(pilot)
        assert "Known unknown" not in shown  # nothing is said of no concepts
        await app_of(pilot).database.run_with_profile(
            lambda profile: set_state(profile, "softmax", "known-unknown", "")
        )
        await press(pilot, "c", "escape")
        lines = [line.strip() for line in text_of(pilot).splitlines()]
        (now,) = (line for line in lines if line.startswith("Now "))
        assert re.search(r" about \d+ min$", now)  # it is short enough to be beside
        (new,) = (at for at, line in enumerate(lines) if line.startswith("New "))
        assert "cards · Softmax ·" in lines[new]
        assert lines[new + 1]  # a break is between two titles
        assert not lines[new + 1].startswith("·")
        assert lines.index("Recently known") > lines.index("Known unknown")


async def test_without_a_pack_a_first_start_offers_the_import(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        assert "built-in" not in text_of(pilot)
        await press(pilot, "I")
        assert isinstance(pilot.app.screen, ImportScreen)


async def test_after_a_session_today_says_what_comes(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        shown = text_of(pilot)
        assert "day 1" in shown
        assert "Forecast" in shown
        clock.advance(timedelta(days=30))
        await press(pilot, "c", "escape")
        assert "1 card " in text_of(pilot).split("Later today")[0], text_of(pilot)


async def test_a_day_without_time_says_when_new_cards_come(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("minutes_per_day", "1")
        )
        await press(pilot, "c", "escape")
        assert re.search(r"Tomorrow +about \d+ min: .*\d new: ", text_of(pilot))
        assert "for another day" not in text_of(pilot)  # tomorrow says when


@pytest.mark.parametrize(("name", "is_there"), [("empty_home", False), ("home", True)])
def test_a_home_whose_packs_never_arrived_has_no_numbers_yet(
    name: str, is_there: bool, clock: FixedClock, request: pytest.FixtureRequest
) -> None:
    home: Home = request.getfixturevalue(name)
    with open_profile(home, clock):
        pass
    with glance(home, clock) as reader:
        assert reader is not None
        assert (_known(numbers(reader)) is not None) == is_there


async def test_undo_on_today_takes_back_the_last_review(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape", "u")
        assert "undone: good" in last_line(pilot)
        await press(pilot, "u")
        assert "nothing to undo" in last_line(pilot)


async def test_escape_on_today_says_how_to_leave(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        assert "q quits" in last_line(pilot)
        await pilot.press("q")
        assert pilot.app.return_code == 0


async def test_a_narrow_today_shows_as_many_days_as_fit(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        assert "Sa    Su    Mo    Tu    We    Th    Fr" in text_of(pilot)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        days = next(line for line in text_of(pilot).splitlines() if "Forecast" in line)
        assert days.endswith("Sa    Su    Mo    Tu    We    Th")


async def test_a_small_terminal_gives_a_dialog_all_of_its_columns(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(60, 20)) as pilot:
        await press(pilot, "space", "e")
        assert "esc don't save" in text_of(pilot)
        assert max(len(line) for line in text_of(pilot).splitlines()) == 60


async def test_answers_of_a_clock_that_was_ahead_are_told(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    clock.advance(timedelta(days=365))
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        assert "dated after now" not in text_of(pilot)
        clock.advance(timedelta(days=-365))
        await press(pilot, "c", "escape")
        assert "! 1 answer is dated in the future, up to 2027-11-21: the clock was" in text_of(
            pilot
        )


async def test_a_first_start_shows_attention_as_the_reference_computes_it(
    home: Home, open_app: OpenApp
) -> None:
    weights = first_weights()
    assert all(abs(sum(row) - 1) < 1e-9 for row in weights)
    at = WELCOME.queries.index("it")
    assert WELCOME.keys[weights[at].index(max(weights[at]))] == "cat"
    for size in ((80, 24), (120, 50), (142, 50), (160, 50)):
        async with open_app(home, size) as pilot:
            rows = [line for line in text_of(pilot).splitlines() if "░" in line or "█" in line]
            assert len(rows) == len(weights) * (1 if size[0] == 80 else 3)  # none is wrapped
            shown = " ".join(text_of(pilot).split())
            assert f"“it” draws {max(weights[at]):.0%} from “cat”." in shown
            assert "███" in shown
            assert pilot.app.screen.query_one("#day", VerticalScroll).max_scroll_y == 0


async def test_a_wide_today_lists_what_waits_in_a_second_column(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, (160, 50)) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        shown = text_of(pilot)
        assert "Waiting now" in shown
        assert any("Scaling by 1/√d" in line and "3 new" in line for line in shown.splitlines())
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert "Waiting now" not in text_of(pilot)


async def test_a_day_with_nothing_due_says_what_can_be_done(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("new_per_day", "1")
        )
        await press(pilot, "space", "space", "4", "escape")
        shown = text_of(pilot)
        assert "✓ Done for today: 1 answer · 1 card begun" in shown
        row = next(at for at, line in enumerate(shown.splitlines()) if "see the path" in line)
        await pilot.click(offset=(12, row))
        await settle(pilot)
        assert isinstance(pilot.app.screen, PathScreen)


async def test_what_the_path_has_led_to_runs_from_today(
    stocked_home: Home, clock: FixedClock, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    with open_profile(stocked_home, clock) as profile:
        pass_drill(profile, "attention")
        answer(profile, "attention:dot-product-sign", Rating.GOOD)
    for screen in ("today", "path"):
        async with open_app(stocked_home) as pilot:
            if screen == "today":
                shown = re.sub(" +", " ", text_of(pilot))
                assert "Ahead see a head of yours at work x run 1 of 2 drills" in shown
            else:
                await press(pilot, "p")
            await press(pilot, "x")
            assert isinstance(pilot.app.screen, FirstModelScreen)


async def test_a_command_without_a_screen_is_said(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        app = app_of(pilot)
        app.run_command("studyattn stats --all")
        await settle(pilot)
        assert isinstance(app.screen, StatsScreen)
        app.run_command("studyattn doctor")
        await settle(pilot)
        assert [each.message for each in app._notifications] == ["studyattn doctor"]


async def test_a_backlog_is_spread_and_the_plan_is_cancelled(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "space", "4", "escape")
        clock.advance(timedelta(days=60))
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("reviews_per_day", "1")
        )
        await press(pilot, "c", "escape")
        assert "2 cards overdue" in text_of(pilot)
        assert "- spread over 2 days" in text_of(pilot)
        await press(pilot, "minus", "backspace", "x", "ctrl+s")
        assert "'x' is not a number of days" in last_line(pilot)
        await press(pilot, "minus", "backspace", "4", "ctrl+s")
        assert "1 of 2 today" in text_of(pilot)
        assert "- cancel" in text_of(pilot)
        await press(pilot, "minus")
        assert "2 cards overdue" in text_of(pilot)
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("vacation", f"{profile.today()}")
        )
        await press(pilot, "c", "escape")
        assert "nothing is asked until" in text_of(pilot)


async def test_what_changes_outside_is_told_and_shown_on_request(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        before = text_of(pilot)
        with open_profile(home) as outside:
            make_card(outside, "From outside", "Yes", concept="softmax")
            outside.change_setting("new_per_day", "1")
        await until_shown(pilot, "changed outside the app: ^r reloads")
        assert text_of(pilot).splitlines()[:-1] == before.splitlines()[:-1]
        await press(pilot, "ctrl+r")
        assert "1 concept, 1 card, about 1 min" in text_of(pilot)
        await press(pilot, "b")
        assert "8 items" in text_of(pilot)
