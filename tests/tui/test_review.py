"""Review: every key on a real database, every kind of card, the ending, resizing."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from textual.containers import VerticalScroll

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock, Moment
from studyattn.study.profile import Profile
from studyattn.study.review.batch import answer
from studyattn.study.review.views import SessionSummary
from studyattn.study.statistics.day import DayAhead
from studyattn.tui.dialogs.dialog import PageScreen, PickScreen
from studyattn.tui.dialogs.editor import EditorScreen
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.example import ExampleScreen
from studyattn.tui.screens.review import ReviewScreen, draw_summary
from studyattn.tui.screens.today import TodayScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of


def reviews(home: Home) -> list[tuple[str, int | None]]:
    """What the log says, in another connection: only what was committed."""
    with sqlite3.connect(home.database) as connection:
        return connection.execute("SELECT item_guid, rating FROM review ORDER BY id").fetchall()


async def test_space_reveals_and_then_means_good(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        assert "Why do the weights of a query sum to 1?" in text_of(pilot)
        assert "w[i] = e[i] / sum(e)" not in text_of(pilot)
        assert "space show answer" in last_line(pilot)
        await press(pilot, "space")
        assert "w[i] = e[i] / sum(e)" in text_of(pilot)  # brackets are not eaten
        assert reviews(home) == []
        await press(pilot, "space")
        assert reviews(home) == [("small:softmax-sum", 3)]
        assert "6 new   1 learning   0 due" in text_of(pilot).splitlines()[0]


@pytest.mark.parametrize("columns", [160, 80, 60, 40])
async def test_the_first_line_says_what_is_left_by_kind_at_every_width(
    home: Home, open_app: OpenApp, columns: int
) -> None:
    async with open_app(home, (columns, 24)) as pilot:
        await press(pilot, "space")
        filled = 0
        left = (7, 0, 0)
        for rating in ("3", "1", "2"):
            first = text_of(pilot).splitlines()[0]
            assert len(first) <= columns
            words = (
                ["{} new   {} learning   {} due"] if columns >= 60 else ["{} new", "{}n  {}l  {}d"]
            )
            assert any(each.format(*left) in first for each in words), first
            assert "oftmax" in first or "caling" in first  # what it is about has room too
            assert first.count("█") >= filled
            filled = first.count("█")
            await press(pilot, *(["escape"] if "enter check" in last_line(pilot) else []))
            await press(pilot, "space", rating)
            taken = len(reviews(home))
            left = (7 - taken, taken, 0)


async def test_the_concept_is_named_whole_at_80_columns(home: Home, open_app: OpenApp) -> None:
    title = "Softmax, and the shares of a whole"
    file = home.root / "packs/small/concepts/softmax.md"
    file.write_text(file.read_text().replace("title: Softmax", f"title: {title}"))
    async with open_app(home, (80, 24)) as pilot:
        await press(pilot, "space")
        assert title in text_of(pilot).splitlines()[0]


async def test_g_shows_the_explanation_and_escape_comes_back_to_the_answer(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space")
        before = text_of(pilot)
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, ConceptScreen)
        assert "Softmax turns scores into weights" in text_of(pilot)
        await press(pilot, "escape")
        assert text_of(pilot) == before
        await go_to(pilot, home, "What are the scores divided by?")
        await press(pilot, *"root", "escape", "g", "escape")
        assert "root" in text_of(pilot)
        await press(pilot, "space")
        assert "≠ root" in text_of(pilot)


async def test_each_rating_shows_the_interval_that_it_gives(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "enter", "enter")
        bar = text_of(pilot).splitlines()[-2]
        for word in (" 1  again 1 min ", " 2  hard 6 min ", " 3  good 10 min ", " 4  easy "):
            assert word in bar


def begun_a_quarter_of_an_hour_ago(profile: Profile) -> None:
    """One card is at its last step; nothing else is asked."""
    moment = profile.moment()
    before = Moment(moment.at - timedelta(minutes=15), moment.utc_offset)
    answer(profile, "small:softmax-sum", Rating.GOOD, before)
    profile.change_setting("new_per_day", "0")


async def test_after_midnight_sentences_count_the_days_that_the_buttons_count(
    home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    clock.at = datetime(2026, 11, 22, 0, 30, tzinfo=UTC)  # 01:30 on Sunday
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(begun_a_quarter_of_an_hour_ago)
        await press(pilot, "c", "escape")
        assert "Sat 21 Nov" in text_of(pilot).splitlines()[0]
        await press(pilot, "space", "space")
        assert "good 2 d" in text_of(pilot).splitlines()[-2]
        await press(pilot, "space")
        assert re.search(r"Tomorrow +nothing due", text_of(pilot))
        await press(pilot, "escape")
        assert "next cards Mon" in text_of(pilot)
        app_of(pilot).go("cards")
        await settle(pilot)
        row, _ = (each for each in text_of(pilot).splitlines() if "sum to 1" in each)  # and below
        assert "Mon" in row
        assert "tomorrow" not in text_of(pilot)
        app_of(pilot).go("concept", "softmax")
        await settle(pilot)
        assert "Mon" in text_of(pilot)
        assert "tomorrow" not in text_of(pilot)


async def test_the_four_ratings(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4")
        await press(pilot, "enter", "2")
        assert [rating for _, rating in reviews(home)] == [4, 2]
        await press(pilot, "1")  # nothing is revealed, so nothing is rated
        assert len(reviews(home)) == 2


async def test_keys_pressed_in_a_hurry_are_not_lost(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await pilot.press("space", "3", "enter", "1")
        await settle(pilot)
        assert [rating for _, rating in reviews(home)] == [3, 1]


async def test_undo_and_redo(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "u")
        assert "undone: easy" in last_line(pilot)
        assert "Why do the weights" in text_of(pilot)
        await press(pilot, "U")
        assert "done again: easy" in last_line(pilot)
        assert [rating for _, rating in reviews(home)] == [4, None, None]
        await press(pilot, "U")
        assert "nothing to redo" in last_line(pilot)


async def test_undo_and_the_other_keys_while_an_answer_is_written(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", *("space", "4") * 2)
        assert "^_ undo" in last_line(pilot)
        await press(pilot, "escape")
        assert "w write answer" in last_line(pilot)
        await press(pilot, "w", "x")
        assert "x" in text_of(pilot)
        taken = len(reviews(home))
        await press(pilot, "ctrl+underscore")
        assert "undone: easy" in last_line(pilot)
        assert len(reviews(home)) == taken + 1


async def test_bury_and_suspend_go_on_to_the_next_item(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "minus")
        assert "buried until tomorrow" in last_line(pilot)
        assert "Why do the weights" not in text_of(pilot)
        await press(pilot, "u")
        assert "Why do the weights" in text_of(pilot)
        await press(pilot, "at")
        assert "suspended" in last_line(pilot)
        assert "Why do the weights" not in text_of(pilot)


async def test_mark_stays_on_the_card(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "asterisk")
        assert "★" in text_of(pilot).splitlines()[0]
        assert "w[i]" in text_of(pilot)
        await press(pilot, "asterisk")
        assert "★" not in text_of(pilot)


async def test_edit_keeps_the_memory_and_the_place(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "e")
        assert isinstance(pilot.app.screen, EditorScreen)
        await press(pilot, *"Well: ", "ctrl+s")
        assert "Well: Why do the weights" in text_of(pilot)
        assert "saved" in last_line(pilot)
        await press(pilot, "e", *"no", "escape")
        assert "noWell" not in text_of(pilot)


async def test_info_and_note(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "i")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "small:softmax-sum" in text_of(pilot)
        await press(pilot, "i", "n", *"Sum")
        assert "on Softmax" in text_of(pilot)
        await press(pilot, "escape")
        assert "space good" in text_of(pilot)
        await press(pilot, "escape", "n")
        assert "Sum" in text_of(pilot)


async def go_to(pilot: object, home: Home, front: str) -> None:
    """Bury cards until `front` is asked."""
    from textual.pilot import Pilot

    assert isinstance(pilot, Pilot)
    for _ in range(9):
        if front in text_of(pilot):
            return
        await press(pilot, *(["escape"] if "enter check" in last_line(pilot) else []), "minus")
    raise AssertionError(text_of(pilot))


async def test_a_cloze_card_shows_its_gap_and_then_the_whole(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "Softmax of equal scores")
        assert "uniform" not in text_of(pilot)
        await press(pilot, "space")
        assert text_of(pilot).count("Softmax of equal scores is the") == 1
        assert "uniform" in text_of(pilot)


async def test_a_typed_card_marks_the_difference(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "What are the scores divided by?")
        assert "enter check" in last_line(pilot)
        await press(pilot, *"sqrt(d_v)", "enter")
        shown = text_of(pilot)
        assert "≠ sqrt(d_v)" in shown
        assert "✓ sqrt(d_k)" in shown
        assert "space again" in shown
        assert "Good if it means the same. Suggested: again" in last_line(pilot)
        await press(pilot, "space")
        assert reviews(home)[-1] == ("small:scaling-typed", 1)


async def test_a_numeric_card_says_how_far_off(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "How large is the variance")
        await press(pilot, *"128", "enter")
        assert "✗ 128   off by a factor of 2" in text_of(pilot)


async def test_a_right_number_is_right(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "How large is the variance")
        await press(pilot, *"64", "enter")
        assert "✓ 64" in text_of(pilot)
        assert "✗" not in text_of(pilot)
        assert "space good" in text_of(pilot)


async def test_a_right_answer_after_long_thought_suggests_hard(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "How large is the variance")
        await press(pilot, *"64")
        clock.advance(timedelta(seconds=75))
        await press(pilot, "enter")
        assert "space hard" in text_of(pilot)
        assert "Right, after 75 s. Suggested: hard" in last_line(pilot)


async def test_beside_a_card_stand_its_concept_and_its_history_where_there_is_room(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home, (160, 50)) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "What prints the variance?")
        shown = text_of(pilot)
        assert "Needs" in shown
        assert "○ Softmax" in shown
        assert "Leads to" in shown
        assert "○ Masking" in shown
        assert "its first review" in shown
        await press(pilot, "space", "1")
        clock.advance(timedelta(minutes=5))
        await press(pilot, "escape", "space")
        await go_to(pilot, home, "What prints the variance?")
        assert "1 answer, 100% recall now" in text_of(pilot)
        assert "1 again" in text_of(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "Needs" not in text_of(pilot)
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        assert "Needs" in text_of(pilot)


async def test_escape_leaves_the_line_and_then_the_keys_work(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "How large is the variance")
        await press(pilot, "u", "escape")  # u is typed, not undone
        assert "enter check" not in last_line(pilot)
        await press(pilot, "minus")
        assert "buried" in last_line(pilot)


async def test_the_example_runs_in_a_process_of_its_own(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "What prints the variance?")
        await press(pilot, "space")
        assert "▸ run: The variance of a dot product is its length" in text_of(pilot)
        await press(pilot, "x")
        screen = pilot.app.screen
        assert isinstance(screen, ExampleScreen)
        while screen.run_of_example is None:
            await pilot.pause(0.05)
        await settle(pilot)
        assert "✓" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReviewScreen)


async def test_a_long_card_scrolls_and_is_never_cut(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "What are the steps")
        await press(pilot, "space", "end")
        assert "step number 40" in text_of(pilot)
        await press(pilot, "home")
        assert "What are the steps" in text_of(pilot)


async def test_resizing_while_a_card_is_shown_renders_it_anew(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await press(pilot, "space")
        wide = text_of(pilot)
        await pilot.resize_terminal(44, 20)
        await settle(pilot)
        narrow = text_of(pilot)
        assert narrow != wide
        assert all(len(line) <= 44 for line in narrow.splitlines())
        assert " 1  again" in text_of(pilot)
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        card = pilot.app.screen.query_one("#front")
        assert card.size.width <= 72


async def test_a_session_ends_well_after_a_cloze(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        pilot.app.push_screen(ReviewScreen(only=("small:softmax-uniform",)))
        await settle(pilot)
        await press(pilot, "space", "4")
        assert "Done for now" in text_of(pilot)


async def test_a_session_ends_well(home: Home, clock: FixedClock, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        for _ in range(20):
            if "Done for now" in text_of(pilot):
                break
            if "enter check" in last_line(pilot):
                await press(pilot, "enter", "4")
            else:
                await press(pilot, "space", "4")
        shown = text_of(pilot)
        assert "Done for now" in shown
        assert "easy" in shown
        assert "Tomorrow" in shown
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, TodayScreen)


async def test_space_leads_back_from_the_ending_and_to_more(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("new_per_day", "1")
        )
        await press(pilot, "space", "space", "4")
        assert "space back to today" in last_line(pilot)
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, TodayScreen)
        assert "space study more" in last_line(pilot)
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, PickScreen)


async def test_nothing_due_says_when_the_next_card_comes(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("new_per_day", "1")
        )
        await press(pilot, "space", "space", "4", "escape")
        clock.advance(timedelta(minutes=1))
        assert "space study more" in last_line(pilot)
        app_of(pilot).go("review")
        await settle(pilot)
        assert "Nothing is due" in text_of(pilot)
        assert "back to today" in last_line(pilot)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_ratings_can_be_clicked(home: Home, open_app: OpenApp, size: tuple[int, int]) -> None:
    async with open_app(home, size) as pilot:
        await press(pilot, "space", "space")
        row = next(at for at, line in enumerate(text_of(pilot).splitlines()) if "2  hard" in line)
        column = text_of(pilot).splitlines()[row].index("2  hard")
        await pilot.click(offset=(column + 2, row))
        await settle(pilot)
        assert [rating for _, rating in reviews(home)] == [2]


async def test_the_card_can_be_scrolled(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        await go_to(pilot, home, "What are the steps")
        await press(pilot, "space")
        card = pilot.app.screen.query_one("#card", VerticalScroll)
        assert card.max_scroll_y > 0
        assert "step number 1" in text_of(pilot)


async def test_the_learning_note_is_written_when_a_session_ends(
    home: Home, open_app: OpenApp
) -> None:
    note = home.root / "note.md"
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        await database.run_with_profile(
            lambda profile: profile.change_setting("note_path", str(note))
        )
        await press(pilot, "space", "space", "space")
        assert not note.exists()
        await press(pilot, "escape")
        assert "# Learning note" in note.read_text()


async def test_a_learning_note_that_cannot_be_written_hinders_nothing(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        nowhere = str(home.root / "no" / "such" / "folder" / "note.md")
        await database.run_with_profile(
            lambda profile: profile.change_setting("note_path", nowhere)
        )
        await press(pilot, "space", "space", "space", "escape")
        assert isinstance(pilot.app.screen, TodayScreen)
        assert len(reviews(home)) == 1


def test_a_session_in_which_a_step_passed_says_so_and_what_comes() -> None:
    tomorrow = DayAhead(8, 3, 1, 0, ())
    steps = (("Multi-head attention", "3/5 weigh the keys"), ("Write on", ""))
    summary = SessionSummary(0, steps, {}, 0, 0.0, (), None, tomorrow, None, None)
    shown = draw_summary(summary, None, 60, 76).plain
    assert "Done for now" in shown
    assert "Multi-head attention: 2 steps passed; next: weigh the keys" in shown
    assert "Write on: passed; rate it" in shown
    assert "about 8 min: 3 cards, 1 drill" in shown
    assert "Answered" not in shown
