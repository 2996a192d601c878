"""Notes in the app: written, saved by themselves, linked, restored, and made cards of."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import insert
from textual.widgets import Input

from studyattn.home import Home
from studyattn.store.models import SourceRow
from studyattn.study.clock import FixedClock
from studyattn.study.notes.notes import add_note, edit_note, list_notes, versions
from studyattn.study.profile import Profile
from studyattn.study.review.browse import search as search_items
from studyattn.tui.screens.note import NoteScreen, SourceScreen
from studyattn.tui.screens.notes import NotesScreen, VersionsScreen
from studyattn.tui.widgets.text_areas import LONGEST_LINE, NoteEditor
from tests.tui.conftest import NOON, OpenApp, Typed, app_of, last_line, press, text_of, until_shown

WIDE = (160, 50)


def editor(pilot: object) -> NoteEditor:
    from textual.pilot import Pilot

    assert isinstance(pilot, Pilot)
    return pilot.app.screen.query_one("#text", NoteEditor)


def bodies(profile: Profile) -> list[str]:
    return [note.body for note in list_notes(profile)]


async def test_a_note_saves_itself_and_shows_its_mathematics(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=WIDE) as pilot:
        await press(pilot, "n", "n", Typed("Scores: $d_k^2$"))
        await until_shown(pilot, "✓ saved")
        assert await app_of(pilot).database.run_with_profile(bodies) == ["Scores: $d_k^2$"]
        assert "$d_k^2$" in text_of(pilot)
        await until_shown(pilot, "Scores: dₖ²")
        await press(pilot, Typed(" more"), "escape")
        assert isinstance(pilot.app.screen, NotesScreen)
        assert await app_of(pilot).database.run_with_profile(bodies) == ["Scores: $d_k^2$ more"]


async def test_the_preview_takes_turns_on_a_small_terminal(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        # The first line becomes the title above, as soon as the note has been saved.
        await press(pilot, "n", "n", Typed("A note"), "enter", Typed("**bold**"))
        assert "**bold**" in text_of(pilot)
        await press(pilot, "f2")
        assert "**bold**" not in text_of(pilot)
        await until_shown(pilot, "bold")
        await press(pilot, "f2", Typed("!"))
        assert "**bold**!" in text_of(pilot)


@pytest.mark.parametrize("is_left", [True, False], ids=["the screen is left", "the app ends"])
async def test_work_that_ends_while_its_screen_closes_is_no_bug(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, is_left: bool
) -> None:
    gone = asyncio.Event()  # its widgets are; the work is cancelled next

    async def end_work(_: NoteScreen) -> None:
        gone.set()
        for _turn in range(5):
            await asyncio.sleep(0)

    async with open_app(home) as pilot:
        await press(pilot, "n", "n")
        screen = pilot.app.screen
        assert isinstance(screen, NoteScreen)

        async def draw_late() -> None:
            await gone.wait()
            screen.headline("saved")

        monkeypatch.setattr(NoteScreen, "on_unmount", end_work)
        if is_left:
            screen.services.back()
        screen.do(draw_late)
        await pilot.pause()


async def test_quitting_keeps_what_was_just_written(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "n", "n")
        await pilot.press(*"last words")
        await pilot.press("ctrl+q")
    async with open_app(home) as pilot:
        assert await app_of(pilot).database.run_with_profile(bodies) == ["last words"]


async def test_a_note_that_was_emptied_is_none(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "n", "n", "x", "ctrl+s")
        assert await app_of(pilot).database.run_with_profile(bodies) == ["x"]
        await press(pilot, "backspace", "escape")
        assert await app_of(pilot).database.run_with_profile(bodies) == []
        await press(pilot, "n", "escape")
        assert "No notes yet" in text_of(pilot)


async def test_the_title_is_the_first_line_or_its_own(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "n", "n", Typed("First"), "enter", Typed("text"), "escape", "n")
        pilot.app.screen.query_one("#title", Input).focus()
        await pilot.resize_terminal(90, 30)
        await press(pilot, Typed("Own"), "tab", Typed("body"), "escape")
        rows = text_of(pilot)
        assert "First" in rows
        assert "Own" in rows
        await press(pilot, "enter")
        assert pilot.app.screen.query_one("#title", Input).value == "Own"
        await press(pilot, "escape", "down", "enter")
        assert pilot.app.screen.query_one("#title", Input).value == ""


async def test_another_hand_at_the_same_note_is_told_and_nothing_lost(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.tui.screens.note.SAVE_EVERY", 3600)  # it is saved by the key
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        note = await database.run_with_profile(lambda profile: add_note(profile, "before"))
        await press(pilot, "n", "enter", Typed("mine "))
        await database.run_with_profile(lambda profile: edit_note(profile, note.id, "theirs"))
        await press(pilot, "ctrl+s")
        said = await database.run_with_profile(lambda profile: versions(profile, note.id))
        assert [each.body for each in said] == ["mine before", "theirs", "before"]


async def test_what_another_hand_wrote_comes_in_when_nothing_is_unsaved(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        note = await database.run_with_profile(lambda profile: add_note(profile, "before"))
        await press(pilot, "n", "enter", "f9")
        await database.run_with_profile(lambda profile: edit_note(profile, note.id, "theirs"))
        await press(pilot, "escape")
        assert editor(pilot).text == "theirs"


async def test_a_link_is_completed_followed_and_seen(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=WIDE) as pilot:
        await press(pilot, "n", "n", Typed("[[sof"))
        assert editor(pilot).suggestion == "tmax]]"
        await press(pilot, "tab", Typed(" [[nowhere]]"), "escape")
        assert (await app_of(pilot).database.run_with_profile(bodies)) == [
            "[[softmax]] [[nowhere]]"
        ]
        shown = text_of(pilot)
        assert "→ Softmax" in shown
        assert "✗ nowhere  no such concept" in shown
        await press(pilot, "enter", "f3")
        assert "nowhere   (no such concept)" in text_of(pilot)
        await press(pilot, Typed("softm"), "enter")
        assert "Softmax turns scores into weights" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, NoteScreen)


async def test_a_version_is_compared_restored_and_that_undone(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=WIDE) as pilot:
        database = app_of(pilot).database
        note = await database.run_with_profile(lambda profile: add_note(profile, "one\ntwo"))
        await database.run_with_profile(lambda profile: edit_note(profile, note.id, "one\nthree"))
        await press(pilot, "n", "f9")
        assert isinstance(pilot.app.screen, VersionsScreen)
        assert "9 characters" in text_of(pilot)
        await press(pilot, "R")
        assert "this is the current text" in last_line(pilot)
        await press(pilot, "down", "f2")
        shown = text_of(pilot)
        assert "-two" in shown
        assert "+three" in shown
        await press(pilot, "R")
        assert await database.run_with_profile(bodies) == ["one\ntwo"]
        assert "3 versions" in text_of(pilot)
        await press(pilot, "u")
        assert await database.run_with_profile(bodies) == ["one\nthree"]
        await press(pilot, "u")
        assert "nothing to undo" in last_line(pilot)


async def test_a_note_is_removed_and_put_back(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(lambda profile: add_note(profile, "keep me"))
        await press(pilot, "n", "X")
        assert "No notes yet" in text_of(pilot)
        await press(pilot, "u")
        assert "keep me" in text_of(pilot)
        await press(pilot, "u")
        assert "no removed note to restore" in last_line(pilot)
        await press(pilot, "space")
        assert "esc close" in text_of(pilot)


async def test_a_card_is_made_of_a_paragraph(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        await database.run_with_profile(
            lambda profile: add_note(profile, "# On [[masking]]\n\nIt hides\nkeys.")
        )
        await press(pilot, "n", "enter", "down", "down", "f4")
        assert "Masking" in text_of(pilot) or "masking" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert "the card has no question" in text_of(pilot)
        assert "It hides" in text_of(pilot)
        await press(pilot, Typed("What?"), "ctrl+s")
        assert "1 card made" in last_line(pilot)
        (card,) = await database.run_with_profile(lambda profile: search_items(profile, "hides"))
        assert (card.title, card.concept) == ("What?", "masking")
        assert card.guid.startswith("own:")


async def test_a_cloze_is_made_of_a_selection(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        await database.run_with_profile(
            lambda profile: add_note(profile, "Rows sum to one.", concept="softmax")
        )
        await press(pilot, "n", "enter", "f5")
        assert "first select the words for the gap" in last_line(pilot)
        await press(pilot, *["shift+right"] * 5, "f5")
        assert "==Rows== sum to one." in text_of(pilot)
        await press(pilot, "ctrl+s")
        (card,) = await database.run_with_profile(lambda profile: search_items(profile, "==Rows=="))
        assert card.card_kind == "cloze"


async def test_what_a_note_is_about_is_chosen(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        await press(pilot, "n", "n", "f8", Typed("mask"), "enter", Typed("text"))
        assert "on Masking" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert [note.concept for note in await database.run_with_profile(list_notes)] == ["masking"]
        await press(pilot, "f8", "enter")
        assert [note.concept for note in await database.run_with_profile(list_notes)] == [None]


async def test_control_characters_do_not_reach_the_terminal(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=WIDE) as pilot:
        body = "a\x1b[31mred\x07 \x9bend"
        await app_of(pilot).database.run_with_profile(lambda profile: add_note(profile, body))
        await press(pilot, "n")
        assert "\x1b" not in text_of(pilot)
        await press(pilot, "enter")
        assert "a�[31mred� �end" in text_of(pilot)
        await press(pilot, "escape")
        assert await app_of(pilot).database.run_with_profile(bodies) == [body]


async def test_a_line_of_a_million_characters_is_left_to_another_editor(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=WIDE) as pilot:
        body = "word " * 200_000
        await app_of(pilot).database.run_with_profile(lambda profile: add_note(profile, body))
        await press(pilot, "n")
        assert "1,000,000 characters" in text_of(pilot)
        await press(pilot, "enter")
        assert "only the beginning; ^o opens all of it" in text_of(pilot)
        assert "^o own editor" in last_line(pilot)
        await press(pilot, "x", "escape")
        assert await app_of(pilot).database.run_with_profile(bodies) == [body]


async def test_the_own_editor_writes_the_note(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(home) as pilot:

        async def edit(text: str) -> str:
            return f"{text} and outside"

        monkeypatch.setattr(app_of(pilot), "edit_text", edit)
        await press(pilot, "n", "n", Typed("inside"), "ctrl+o", "escape")
        assert await app_of(pilot).database.run_with_profile(bodies) == ["inside and outside"]


def add_source(profile: Profile, text: str) -> None:
    with profile.database.write() as connection:
        connection.execute(
            insert(SourceRow).values(
                guid="doc",
                kind="post",
                title="A poem",
                path="poem.md",
                text=text,
                digest="",
                imported_at=NOON,
            )
        )


async def test_a_source_is_read_with_notes_and_cards(
    home: Home, open_app: OpenApp, tmp_path: Path
) -> None:
    text = "one\n\n" * 100 + "the needle is here\n"
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        await database.run_with_profile(lambda profile: add_source(profile, text))
        await press(pilot, "slash", Typed("needle"), "enter")
        assert isinstance(pilot.app.screen, SourceScreen)
        assert "the needle is here" in text_of(pilot)
        await press(pilot, "x")
        assert editor(pilot).text == text
        await press(pilot, *["shift+right"] * 6, "f5")
        assert "==needle==" in text_of(pilot)
        await press(pilot, "escape", "f4")
        await press(pilot, Typed("Where?"), "tab", "tab", Typed("softmax"), "enter")
        assert "1 card made" in last_line(pilot)
        (card,) = await database.run_with_profile(lambda profile: search_items(profile, "Where?"))
        assert card.guid.startswith("own:")
        await press(pilot, "n", Typed("noted"), "escape")
        (note,) = await database.run_with_profile(list_notes)
        assert note.source == "A poem"


async def test_a_document_of_one_long_line_is_shown(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        text = "word " * 60_000 + "needle"
        await app_of(pilot).database.run_with_profile(lambda profile: add_source(profile, text))
        await press(pilot, "slash", Typed("needle"), "enter")
        assert isinstance(pilot.app.screen, SourceScreen)
        assert "needle" in text_of(pilot)
        lines = editor(pilot).text.split("\n")
        assert max(map(len, lines)) == LONGEST_LINE
        assert "".join(lines) == text


async def test_a_list_keeps_what_is_chosen_when_its_rows_change(
    home: Home, clock: FixedClock, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        database = app_of(pilot).database
        for body in ("one", "two", "three"):
            await database.run_with_profile(partial(add_note, body=body))
            clock.advance(timedelta(minutes=1))
        await press(pilot, "n", "down", "enter", Typed("new "), "escape")
        screen = pilot.app.screen
        assert isinstance(screen, NotesScreen)
        assert screen.chosen is not None
        assert screen.chosen.title == "new two"  # at the top now, and still chosen
        await press(pilot, "down", "X")
        assert screen.chosen is not None
        assert screen.chosen.title == "one"  # the next one takes its place
        await press(pilot, "u")
        assert screen.chosen is not None
        assert screen.chosen.title == "three"  # what was put back
