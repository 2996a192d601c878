"""The Import screen: preview, joins, claims that are wrong, what comes back, and refusals."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input

from studyattn.home import Home
from studyattn.study.profile import Profile
from studyattn.study.review.browse import items
from studyattn.tui.screens.concept import ConceptScreen
from studyattn.tui.screens.importing import PreviewScreen
from studyattn.tui.screens.path import PathScreen
from studyattn.tui.screens.review import ReviewScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of

DOCUMENT = """\
# Attention

## Your Current Understanding
- Scores are dot products

## Questions

### 1. Softmax - what does it do?

It turns scores into weights.

### 2. Why is there a mask?

So that no query sees a later key.
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "documents" / "questions.md"
    path.parent.mkdir()
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def rewrite(document: Path, text: str) -> None:
    document.write_text(text, encoding="utf-8")


async def write_path(pilot: object, path: str) -> None:
    from textual.pilot import Pilot

    assert isinstance(pilot, Pilot)
    line = pilot.app.screen.query_one("#search", Input)
    line.value = path
    line.cursor_position = len(path)
    await settle(pilot)


async def test_import_shows_first_and_then_makes(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "preview only, nothing imported yet" in shown
        assert "8  + card" in shown
        assert "new: 1 source, 2 cards" in shown
        concepts = await app_of(pilot).database.run_with_profile(count_concepts)
        await press(pilot, "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
        assert await app_of(pilot).database.run_with_profile(count_concepts) > concepts
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, ReviewScreen)


async def test_a_long_question_is_read_whole_in_the_preview(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    asked = "Why is the map of values split into two maps of a lower rank?"
    rewrite(document, f"## Questions\n\n### 1. {asked}\n\nTo save parameters.\n")
    async with open_app(home, (60, 20)) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        lines = text_of(pilot).splitlines()
        (at,) = (number for number, line in enumerate(lines) if "+ card" in line)
        assert asked in " ".join(line[28:58].strip() for line in lines[at : at + 3])


async def test_what_was_imported_can_be_studied_at_once(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        ask = app_of(pilot).database.run_with_profile
        await ask(lambda profile: profile.change_setting("new_per_day", "1"))
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        await press(pilot, "S")  # preview only, nothing imported yet
        assert "preview only, nothing imported yet" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert "S study these" in last_line(pilot)
        of_the_day = await ask(due_guids)
        assert len(of_the_day) == 1
        await press(pilot, "S")
        assert "2 new" in text_of(pilot).splitlines()[0]
        assert "what does it do?" in text_of(pilot)
        assert await ask(due_guids) == of_the_day  # the day is as it was
        await press(pilot, "space", "4")
        assert "Why is there a mask?" in text_of(pilot)
        assert await ask(due_guids) == []  # an ordinary review: it counts for the day
        await press(pilot, "escape")
        assert "✓ Imported" in text_of(pilot)
        await press(pilot, "S")
        assert "1 new" in text_of(pilot).splitlines()[0]
        await press(pilot, "space", "4", "escape", "I", "enter")
        assert "Nothing new" in text_of(pilot)


async def test_nothing_is_studied_where_no_card_was_imported(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    document = tmp_path / "states.md"
    document.write_text("# A talk\n\n## Known\n\n- Softmax sums to one\n", encoding="utf-8")
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter", "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
        assert "study these" not in last_line(pilot)
        await press(pilot, "S")
        assert "the import added no new cards" in last_line(pilot)


def due_guids(profile: Profile) -> list[str]:
    from studyattn.study.review.queue import due_items

    return [each.guid for each in due_items(profile)]


def count_concepts(profile: Profile) -> int:
    from studyattn.study.concepts.board import list_concepts

    return len(list_concepts(profile))


async def test_import_twice_changes_nothing(home: Home, document: Path, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter", "ctrl+s", "I")
        await press(pilot, "enter")
        assert "Nothing new" in text_of(pilot)
        assert "nothing to import" in text_of(pilot).splitlines()[0]
        assert "^s import" not in last_line(pilot)


async def test_a_proposed_join_is_made_only_when_accepted(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        screen = pilot.app.screen
        assert isinstance(screen, PreviewScreen)
        rows = [str(each.content) for each in screen.rows.values()]
        row = next(index for index, line in enumerate(rows) if "[ ] the same as" in line)
        await press(pilot, *["down"] * row, "space")
        assert "[x] the same as" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert "Joined" in text_of(pilot)


async def test_import_warns_of_what_a_pack_knows_to_be_wrong(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    write_errata(home, document)
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "16  ! A score that is not the dot product" in shown
        assert "With the printed queries and keys it is 1.63" in shown


async def test_a_claim_that_is_wrong_is_corrected_in_preview_review_and_on_its_page(
    home: Home, document: Path, open_app: OpenApp
) -> None:
    write_errata(home)
    write_claims(document)
    right = "With the printed queries and keys it is 1.63"
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "5  + known unknown  Love scores 1.96" in shown
        assert "5  ! corrected, so not known: A score that is not the dot product" in shown
        assert shown.count(right) == 1
        await press(pilot, "ctrl+s")
        pilot.app.push_screen(ConceptScreen("love-scores-1-96"))
        await settle(pilot)
        page = text_of(pilot)
        assert "It says (“A talk”): Love scores 1.96" in page
        assert f"Right: {right}" in page
        await press(pilot, "escape")
        card = next(
            each.guid
            for each in await app_of(pilot).database.run_with_profile(items)
            if each.concept == "phones"
        )
        pilot.app.push_screen(ReviewScreen(only=(card,)))
        await settle(pilot)
        assert right not in text_of(pilot)
        await press(pilot, "space")
        assert "✗ A score that is not the dot product" in text_of(pilot)
        assert "It says (“A talk”): (love, phones) scores 1.96." in text_of(pilot)
        assert f"Right: {right}" in text_of(pilot)


def write_claims(document: Path) -> None:
    """A statement called known, and an answer, that the erratum of the small pack contradicts."""
    document.write_text(
        "# A talk\n\n## Known\n\n- Love scores 1.96\n\n"
        "## Questions\n\n### Phones?\n\nThey score 1.96.\n",
        encoding="utf-8",
    )


def write_errata(home: Home, document: Path | None = None) -> None:
    """An erratum of the small pack, and a document that repeats the claim."""
    if document is not None:
        document.write_text(f"{DOCUMENT}\nThe score of love and phones is 1.96.\n", "utf-8")
    (home.root / "packs" / "small" / "errata.md").write_text(
        "## A score that is not the dot product {#slides-scores concept=scaling figures=1.96}\n\n"
        "**Source:** slides, step 5\n\n"
        "**Says:** (love, phones) scores 1.96.\n\n"
        "**Right:** With the printed queries and keys it is 1.63.\n",
        encoding="utf-8",
    )


async def test_a_review_log_is_weighed_and_taken_in(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    log = tmp_path / "reviews.jsonl"
    log.write_text(
        '{"guid": "small:softmax-sum", "rating": "good", "at": "2026-11-19T10:00:00+00:00"}\n',
        encoding="utf-8",
    )
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(log))
        await press(pilot, "enter")
        assert "Review log" in text_of(pilot)
        assert "1 review of 1 item" in text_of(pilot)
        assert await app_of(pilot).database.run_with_profile(count_reviews) == 0
        await press(pilot, "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
        assert await app_of(pilot).database.run_with_profile(count_reviews) == 1
        await press(pilot, "I", "enter")
        assert "Nothing new" in text_of(pilot)
        assert "^s import" not in last_line(pilot)


async def test_what_was_exported_comes_back(home: Home, tmp_path: Path, open_app: OpenApp) -> None:
    everything = tmp_path / "everything.jsonl"
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "escape")
        await app_of(pilot).database.run_with_profile(
            lambda profile: write_everything(profile, everything)
        )
    other = Home(tmp_path / "other")
    async with open_app(other) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(everything))
        await press(pilot, "enter")
        assert "1 review" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert await app_of(pilot).database.run_with_profile(count_reviews) == 1


def write_everything(profile: Profile, path: Path) -> None:
    from studyattn.exchange.json_lines import write_lines
    from studyattn.exchange.save_file import save_text
    from studyattn.store.queries.snapshot import load_snapshot

    with profile.database.read() as connection:
        held = load_snapshot(connection)
    save_text(path, "".join(f"{line}\n" for line in write_lines(held)))


def count_reviews(profile: Profile) -> int:
    from sqlalchemy import func, select

    from studyattn.store.models import ReviewRow

    with profile.database.read() as connection:
        return connection.execute(select(func.count(ReviewRow.id))).scalar_one()


async def test_import_completes_paths(home: Home, document: Path, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, f"{document.parent.parent}/docu")
        await press(pilot, "down", "enter", "down", "enter")
        assert "preview only, nothing imported yet" in text_of(pilot)
        await press(pilot, "escape")
        assert "enter preview" in last_line(pilot)


async def test_what_cannot_be_imported_is_told_in_a_modal(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    bad = tmp_path / "bad.md"
    bad.write_bytes(b"# \xff\xfe\x00 not text")
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(bad))
        await press(pilot, "enter")
        assert "✗ This did not work" in text_of(pilot)
        await press(pilot, "enter")
        assert "enter preview" in last_line(pilot)


async def test_enter_after_an_import_does_not_read_the_document_again(
    home: Home, tmp_path: Path, open_app: OpenApp
) -> None:
    document = tmp_path / "notes.md"
    document.write_text("# Notes\n\nQ: What?\nA: That.\n")
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document))
        await press(pilot, "enter", "ctrl+s")
        assert "✓ Imported" in text_of(pilot)
        await press(pilot, "enter")
        assert "✓ Imported" in text_of(pilot)


async def test_reading_ends_when_the_learner_goes_elsewhere(
    home: Home, document: Path, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, wrong = asyncio.Event(), []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: wrong.append(context))

    def read_for_ever(path: Path, progress: Callable[[int, int, Path], None], _: object) -> None:
        try:
            for done in range(5_000):
                progress(done, 1_000_000, path)
                time.sleep(0.001)
        finally:
            loop.call_soon_threadsafe(ended.set)

    monkeypatch.setattr("studyattn.tui.import_service.look", read_for_ever)
    async with open_app(home) as pilot:
        await press(pilot, "I")
        await write_path(pilot, str(document.parent))
        await pilot.press("enter")
        while "Reading" not in text_of(pilot):
            await pilot.pause(0.01)
        app_of(pilot).go("path")
        await asyncio.wait_for(ended.wait(), 10)
        await settle(pilot)
        assert isinstance(pilot.app.screen, PathScreen)
    assert not wrong
