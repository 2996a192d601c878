"""The board of concepts and a concept's page: every key, both widths."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from studyattn.home import Home
from studyattn.store.models import ConceptRow, ItemRow
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import list_concepts, merge
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.notes.notes import add_note
from studyattn.study.profile import Profile
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.concepts import BoardColumn, ConceptsScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of


async def states(pilot: Pilot[None]) -> dict[str, str]:
    """The state of each concept as the database has it."""
    lines = await app_of(pilot).database.run_with_profile(list_concepts)
    return {line.slug: line.state for line in lines}


async def hold_all(pilot: Pilot[None]) -> None:
    """Let every card hold for 30 days, so that each concept could be called known."""

    def hold(profile: Profile) -> None:
        with profile.database.write() as connection:
            connection.execute(update(ItemRow).values(stability=30.0))

    await app_of(pilot).database.run_with_profile(hold)


def place_of(pilot: Pilot[None], words: str) -> tuple[int, int]:
    """Where the words stand on the screen: column and row."""
    for row, line in enumerate(text_of(pilot).splitlines()):
        if words in line:
            return line.index(words), row
    raise AssertionError(f"{words!r} is not on the screen:\n{text_of(pilot)}")


def chosen(pilot: Pilot[None]) -> str | None:
    """The slug of the concept that keys act on."""
    screen = pilot.app.screen
    assert isinstance(screen, ConceptsScreen)
    return None if screen.chosen is None else screen.chosen.slug


# The board.


async def test_the_column_that_keys_act_on_has_most_of_the_room(
    home: Home, open_app: OpenApp
) -> None:
    def sizes() -> list[tuple[int, int]]:
        return [column.outer_size for column in pilot.app.screen.query(BoardColumn)]

    async with open_app(home) as pilot:
        await press(pilot, "c")
        unseen, unknown, known = (width for width, _ in sizes())
        assert unseen > unknown
        assert unknown == known
        assert "● Known unknown  0" in text_of(pilot)
        await press(pilot, "right")
        assert sizes()[1][0] > sizes()[0][0]
        await pilot.resize_terminal(60, 20)  # then one is above the other
        await settle(pilot)
        assert {width for width, _ in sizes()} == {60}
        assert [height == 1 for _, height in sizes()] == [True, False, True]
        await press(pilot, "left")
        assert [height == 1 for _, height in sizes()] == [False, True, True]
        assert "● Known unknown  0" in text_of(pilot)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_three_columns_stand_side_by_side(
    home: Home, open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(home, size=size) as pilot:
        await press(pilot, "c")
        heads = text_of(pilot).splitlines()[2]
        assert "○ Unseen  3" in heads
        assert "● Known unknown  0" in heads
        assert "✓ Known  0" in heads
        assert "3 concepts" in text_of(pilot).splitlines()[0]


async def test_each_concept_says_how_well_it_is_remembered(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "4", "escape", "c")
        assert "0/2 held  1 new" in text_of(pilot)
        assert "3 new" in text_of(pilot)
    async with open_app(home, size=(160, 50)) as pilot:
        await press(pilot, "c")
        lines = text_of(pilot).splitlines()
        assert "held due  new drill" in lines[2]
        assert next(line for line in lines if " Softmax " in line).split("│")[0].split() == [
            "Softmax",
            "0/2",
            "1",
        ]


def picked(pilot: Pilot[None]) -> str | None:
    """The state that the open dialog would move a concept to."""
    option = pilot.app.screen.query_one("#choices", OptionList).highlighted_option
    return option.id if option is not None else None


async def test_a_concept_is_moved_with_a_reason(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "m")
        assert picked(pilot) == "known-unknown"
        await press(pilot, *"no idea", "enter")
        assert "Softmax is known unknown now" in last_line(pilot)
        assert (await states(pilot))["softmax"] == "known-unknown"
        page = await app_of(pilot).database.run_with_profile(
            lambda profile: show_concept(profile, "softmax")
        )
        assert page.changes[-1].reason == "no idea"
        assert chosen(pilot) == "scaling"  # the next one, ready to be moved
        await press(pilot, "m", "down", "enter")
        assert (await states(pilot))["scaling"] == "known"
        await press(pilot, "m", "escape", "m", "up", "enter")  # to where it is already
        assert (await states(pilot))["masking"] == "unseen"


async def test_the_last_of_a_column_takes_the_choice_with_it(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", *["greater_than_sign", "enter"] * 3)
        assert chosen(pilot) == "masking"
        assert set((await states(pilot)).values()) == {"known-unknown"}


@pytest.mark.parametrize(
    ("right", "left"), [("shift+right", "shift+left"), ("greater_than_sign", "less_than_sign")]
)
async def test_keys_move_to_the_column_beside(
    home: Home, open_app: OpenApp, right: str, left: str
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", left)
        assert "no column on that side" in last_line(pilot)
        await press(pilot, right, "enter")
        assert (await states(pilot))["softmax"] == "known-unknown"
        await press(pilot, "right", right, "enter")
        assert (await states(pilot))["softmax"] == "known"
        await press(pilot, left, "enter")
        assert (await states(pilot))["softmax"] == "known-unknown"


async def test_moves_are_taken_back(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "u")
        assert "no move to undo" in last_line(pilot)
        await press(pilot, "m", "enter", "m", "down", "enter", "u")
        assert "undone: Scaling by 1/√d is unseen again" in last_line(pilot)
        assert chosen(pilot) == "scaling"
        await press(pilot, "u")
        assert set((await states(pilot)).values()) == {"unseen"}


async def test_arrows_go_from_column_to_column(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "down", "m", "enter", "right")
        assert chosen(pilot) == "scaling"
        assert "● Scaling by 1/√d" in text_of(pilot)
        await press(pilot, "right", "right")
        assert chosen(pilot) is None
        await press(pilot, "left", "left", "up")
        assert chosen(pilot) == "softmax"


async def test_the_board_follows_what_is_typed(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "slash", *"mask")
        assert "○ Unseen  1 of 3" in text_of(pilot)
        assert "Softmax" not in text_of(pilot)
        await press(pilot, "enter", "m", "enter")
        assert (await states(pilot))["masking"] == "known-unknown"
        assert "● Known unknown  1" in text_of(pilot)
        await press(pilot, "escape")
        assert "Softmax" in text_of(pilot)
        assert not pilot.app.screen.query_one("#search", Input).display
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ConceptsScreen)


async def test_a_click_opens(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c")
        await pilot.click(offset=place_of(pilot, "Masking"))
        await settle(pilot)
        assert isinstance(pilot.app.screen, ConceptScreen)
        assert pilot.app.screen.slug == "masking"


async def test_suggestions_are_marked_taken_and_put_off(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await hold_all(pilot)
        await press(pilot, "c")
        assert "→ 3 suggestions" in text_of(pilot)
        assert "→ Softmax" in text_of(pilot)
        assert "→ Every card is stable for 21 days or more. Move it to known?" in text_of(pilot)
        await press(pilot, "y")
        assert (await states(pilot))["softmax"] == "known"
        await press(pilot, "l")
        assert "suggested again tomorrow" in last_line(pilot)
        assert "→ 1 suggestion" in text_of(pilot)
        await press(pilot, "right", "right", "y")
        assert "no suggestion for it" in last_line(pilot)


async def test_concepts_are_joined_and_parted(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "j")
        assert "Softmax is the same as" in text_of(pilot)
        await press(pilot, *"scal", "enter")
        assert "Softmax is part of Scaling by 1/√d now" in last_line(pilot)
        assert "5 new" in text_of(pilot)
        await press(pilot, "enter")
        assert "joined with Softmax" in text_of(pilot)
        await press(pilot, "J")
        assert "two concepts again" in last_line(pilot)
        await press(pilot, "J")
        assert "nothing is merged into it" in last_line(pilot)
        await press(pilot, "escape", "j", "down", "down", "escape")
        assert set(await states(pilot)) == {"softmax", "scaling", "masking"}


async def test_of_several_joined_concepts_one_is_picked(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "c", "j", "down", "enter", "up", "j", *"mask", "enter", "enter", "J")
        assert "Unmerge from it" in text_of(pilot)
        await press(pilot, *"soft", "enter")
        page = await app_of(pilot).database.run_with_profile(
            lambda profile: show_concept(profile, "masking")
        )
        assert page.joined == (("scaling", "Scaling by 1/√d"),)


async def test_without_concepts_the_board_says_what_to_do(
    empty_home: Home, open_app: OpenApp
) -> None:
    async with open_app(empty_home) as pilot:
        await press(pilot, "c")
        assert "No concepts yet. Press I" in text_of(pilot)
        await press(pilot, "m", "enter", "j", "y", "u", "right", "greater_than_sign")
        assert isinstance(pilot.app.screen, ConceptsScreen)


# A concept's page.


async def open_page(pilot: Pilot[None], downs: int = 1) -> ConceptScreen:
    await press(pilot, "c", *["down"] * downs, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, ConceptScreen)
    return screen


async def test_the_page_stands_in_two_columns_where_there_is_room(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(160, 50)) as pilot:
        await open_page(pilot)
        shown = text_of(pilot)
        (first, *_) = [line for line in shown.splitlines() if "1 Explanation" in line]
        assert "2 Requires, and unlocks" in first
        for part in ("┌─ ○ Softmax", "└─ ○ Masking", "3 Cards and drills", "stability"):
            assert part in shown
        await press(pilot, "right")
        assert pilot.app.screen.query_one("#facts").has_focus
        await press(pilot, "left")
        assert pilot.app.screen.query_one("#reading").has_focus


async def test_a_concept_without_a_text_has_one_column(home: Home, open_app: OpenApp) -> None:
    def empty(profile: Profile) -> None:
        with profile.database.write() as connection:
            connection.execute(
                update(ConceptRow).where(ConceptRow.slug == "masking").values(body="")
            )

    async with open_app(home, size=(160, 50)) as pilot:
        await app_of(pilot).database.run_with_profile(empty)
        pilot.app.push_screen(ConceptScreen("masking"))
        await settle(pilot)
        assert not pilot.app.screen.query_one("#reading").display
        assert "1 Requires" in text_of(pilot)


async def test_links_are_followed_and_come_back(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await open_page(pilot)
        await press(pilot, "tab")
        assert "▸ ┌─ ○ Softmax" in text_of(pilot)
        await press(pilot, "enter")
        assert text_of(pilot).startswith(" Softmax")
        await press(pilot, "escape", "tab")
        assert "▸ └─ ○ Masking" in text_of(pilot)
        await press(pilot, "tab", "enter")  # the first card
        assert "so that their variance stays near 1" in text_of(pilot)
        await press(pilot, "escape", "shift+tab", "shift+tab", "enter")
        assert text_of(pilot).startswith(" Softmax")
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, ConceptsScreen)


async def test_a_click_follows_a_link(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await open_page(pilot)
        await pilot.click(offset=place_of(pilot, "○ Masking"))
        await settle(pilot)
        assert text_of(pilot).startswith(" Masking")


async def test_digits_lead_to_sections(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(80, 12)) as pilot:
        screen = await open_page(pilot)
        assert "3 Cards and drills" not in text_of(pilot)
        assert "1–4 section" in last_line(pilot)
        await press(pilot, "3")
        assert "3 Cards and drills" in text_of(pilot)
        top = screen.query_one("#facts").scroll_offset.y
        await press(pilot, "9")  # there is none
        assert screen.query_one("#facts").scroll_offset.y == top
        await press(pilot, "1", "1")
        assert "1 Explanation" in text_of(pilot)


async def test_the_page_moves_undoes_and_answers_the_suggestion(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(80, 40)) as pilot:
        await hold_all(pilot)
        await open_page(pilot)
        assert "✓ 3 of 3 cards hold for 21 days or more" in text_of(pilot)
        await press(pilot, "l")
        assert "Move it to known?" not in text_of(pilot)
        await press(pilot, "y")
        assert "no suggestion for it" in last_line(pilot)
        await press(pilot, "m", *"heard of it", "enter")
        assert "○ unseen → ● known unknown: heard of it" in text_of(pilot)
        await press(pilot, "u")
        assert "undone: Scaling by 1/√d is unseen again" in last_line(pilot)
        assert "● known unknown → ○ unseen: taken back" in text_of(pilot)
        await press(pilot, "u")
        assert "no move to undo" in last_line(pilot)
        await press(pilot, "escape", "down", "enter", "y")
        assert (await states(pilot))["masking"] == "known"


async def test_a_note_is_written_and_read_on_the_page(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(80, 40)) as pilot:
        await open_page(pilot)
        await press(pilot, "n", *"Mine", "enter", *"The text", "escape")
        assert "5 Notes" in text_of(pilot)
        await press(pilot, "shift+tab", "enter")
        assert "The text" in text_of(pilot)
        await press(pilot, "escape", "n", "escape")
        assert text_of(pilot).count("Mine") == 1


async def test_notes_that_link_to_the_concept_are_listed(home: Home, open_app: OpenApp) -> None:
    async with open_app(home, size=(80, 40)) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: add_note(profile, "About [[softmax]]")
        )
        await open_page(pilot, downs=0)
        (row,) = [line for line in text_of(pilot).splitlines() if "links here" in line]
        assert row.split()[0] == "About"


async def test_a_joined_concept_has_the_page_of_the_whole(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: merge(profile, "softmax", "masking")
        )
        pilot.app.push_screen(ConceptScreen("softmax"))
        await settle(pilot)
        assert text_of(pilot).startswith(" Masking")


async def test_the_graph_shows_as_many_levels_as_are_asked_for(
    home: Home, open_app: OpenApp
) -> None:
    folder = home.root / "packs" / "small"
    titles = ["four", "five", "six", "seven"]
    manifest = (folder / "pack.toml").read_text("utf-8")
    (folder / "pack.toml").write_text(
        manifest.replace('"masking"]', f'"masking", {str(titles)[1:-1]}]'.replace("'", '"')),
        "utf-8",
    )
    for before, slug in zip(["masking", *titles], titles, strict=False):
        text = f"---\nslug: {slug}\ntitle: Level {slug}\nrequires: [{before}]\n---\n\nText.\n"
        (folder / "concepts" / f"{slug}.md").write_text(text, "utf-8")
    async with open_app(home, size=(80, 40)) as pilot:
        await open_page(pilot, downs=0)
        assert "└─ ○ Level four  + 3 more" in text_of(pilot)
        await press(pilot, "plus")
        assert "└─ ○ Level seven" in text_of(pilot)
        await press(pilot, "plus")
        assert "└─ ○ Level seven" not in text_of(pilot)


async def test_the_page_says_what_sources_get_wrong(home: Home, open_app: OpenApp) -> None:
    (home.root / "packs" / "small" / "errata.md").write_text(
        "## A score that is not the dot product {#slides-scores concept=scaling figures=1.96}\n\n"
        "**Source:** slides, step 5\n\n"
        "**Says:** (love, phones) scores 1.96.\n\n"
        "**Right:** With the printed queries and keys it is 1.63.\n",
        encoding="utf-8",
    )
    async with open_app(home, size=(160, 50)) as pilot:
        await open_page(pilot, downs=0)
        assert "Common errors in sources" not in text_of(pilot)
        await press(pilot, "escape", "down", "enter")
        assert "Your source says (slides, step 5): (love, phones) scores 1.96." in text_of(pilot)
        assert "The numbers say: With the printed queries and keys" in text_of(pilot)


async def test_memory_is_written_beside_each_card(
    home: Home, open_app: OpenApp, clock: FixedClock
) -> None:
    async with open_app(home, size=(80, 40)) as pilot:
        await press(pilot, "space", "space", "4", "escape")
        clock.advance(timedelta(days=60))
        await open_page(pilot, downs=0)
        (row,) = [line for line in text_of(pilot).splitlines() if "Why do the weights" in line]
        words = row.split()
        assert words[-1] == "now"
        assert int(words[-2].removesuffix("%")) < 90  # forgotten by and by
