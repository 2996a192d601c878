"""What the real Anki makes of the packages that we write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.registry import ANKI, format_of
from studyattn.exchange.reviews import logs_of
from studyattn.memory import Phase, Remembered, Scheduler, learner_day
from studyattn.store.models import ItemRow
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    ReviewRecord,
    Snapshot,
)
from studyattn.study.review.rebuild import refold
from tests.exchange.anki.real_anki import REVIEWS, START, fold, learnt, rows
from tests.exchange.homes import NOW, Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)


def test_anki_takes_the_package_as_it_is_meant(collection: Collection, tmp_path: Path) -> None:
    held, scheduler = learnt(), Scheduler()
    path = tmp_path / "studyattn.apkg"
    written = write_package(path, held, scheduler)
    cards = len(held.items)
    assert (written.notes, written.cards, written.reviews) == (cards, cards, REVIEWS)
    collection.import_anki_package(
        ImportAnkiPackageRequest(
            package_path=str(path), options=ImportAnkiPackageOptions(with_scheduling=True)
        )
    )
    assert collection.note_count() == cards
    assert collection.card_count() == cards
    assert collection.db is not None
    assert collection.db.scalar("SELECT count() FROM revlog") == REVIEWS
    told, clean = collection.fix_integrity()
    assert clean, told
    rows = collection.db.all("SELECT c.id, n.guid FROM cards c JOIN notes n ON n.id = c.nid")
    guids: dict[Any, str] = {row[0]: row[1] for row in rows}
    logs: dict[str, list[ReviewRecord]] = {}
    for review in held.reviews:
        logs.setdefault(review.item_guid, []).append(review)
    worst = 0.0
    for number, guid in guids.items():
        state = fold(guid, logs[guid], scheduler)
        assert isinstance(state, Remembered)
        theirs = collection.compute_memory_state(number)
        assert theirs.stability is not None
        assert theirs.difficulty is not None
        worst = max(worst, abs(theirs.stability / state.stability - 1))
        worst = max(worst, abs(theirs.difficulty / state.difficulty - 1))
        if state.phase is Phase.REVIEW:
            days = (learner_day(state.due, 0) - state.last_day).days
            assert collection.get_card(number).ivl == days
    assert worst <= 1e-4
    eases = collection.db.list("SELECT ease FROM revlog")
    answered = logs_of(held).values()
    assert sorted(eases) == sorted(int(each.rating or 0) for log in answered for each in log)


def test_a_question_with_gaps_gives_nothing_away(collection: Collection, tmp_path: Path) -> None:
    concept = ConceptRecord(
        "masking", "Masking", "unseen", "", None, None, None, 0, False, False, ()
    )
    texts = (("The ==mask==.", "Because of $-\\infty$."), ("The ==2|mask==.", "It ==1|hides==."))
    cards = [
        (f"s:{number}{'' if group == 1 else ':2'}", front, back, group, f"s:{number}")
        for number, (front, back) in enumerate(texts)
        for group in (range(1, 2) if number == 0 else (1, 2))
    ]
    items = tuple(
        ItemRecord(
            *(guid, "card", "masking", None, None, 0, START, False, False, False, None),
            CardRecord("cloze", front, back, None, {"group": group}, "", None, note),
        )
        for guid, front, back, group, note in cards
    )
    path = tmp_path / "gaps.apkg"
    held = Snapshot(concepts=(concept,), items=items).ordered()
    write_package(path, held, Scheduler())
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path)))
    shown = [collection.get_card(number) for number in collection.find_cards("")]
    assert len(shown) == 3
    for card in shown:
        asked = re.sub(r"data-cloze=\"[^\"]*\"", "", card.question())  # Anki's own, not shown
        assert "[...]" in asked
        assert "Because" not in asked
        assert ("Because" in card.answer()) == (card.note().guid == "s:0")
    back = read_package(path, NOW)[0]
    assert [(e.guid, e.card.front, e.card.back) for e in back.items if e.card] == [
        ("s:0", "The ==1|mask==.", "Because of \\(-\\infty\\)."),
        ("s:1", "The ==2|mask==.\n\nIt ==1|hides==.", ""),
        ("s:1:2", "The ==2|mask==.\n\nIt ==1|hides==.", ""),
    ]


def test_where_to_read_more_stands_below_the_answer(collection: Collection, tmp_path: Path) -> None:
    held = learnt()
    link = {"text": "A [talk]", "address": "https://talk.example/a?b=1&c"}
    items = tuple(
        replace(each, card=replace(each.card, extra={**each.card.extra, "links": [link]}))
        for each in held.items
        if each.card
    )
    path = tmp_path / "links.apkg"
    write_package(path, replace(held, items=items), Scheduler())
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path)))
    shown = [collection.get_card(number) for number in collection.find_cards("")]
    assert {card.note().note_type()["name"] for card in shown} == {  # type: ignore[index]  # it has one
        "studyattn Basic",
        "studyattn Cloze",
    }
    for card in shown:
        assert "talk" not in card.question()
        assert re.search(
            r'href="https://talk.example/a\?b=1&amp;c"[^>]*>A \[talk\]</a>', card.answer()
        )


def test_the_same_holdings_give_the_same_package(tmp_path: Path) -> None:
    held = learnt()
    for name in ("one", "two"):
        write_package(tmp_path / name, held, Scheduler())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_card_whose_gap_is_in_a_formula_is_not_left_out(tmp_path: Path) -> None:
    held = learnt()
    front = "==1|Keys== of $x_{==2|i==}$"
    cards = [each for each in held.items if each.card][:2]
    items = tuple(
        replace(item, card=CardRecord("cloze", front, "", None, {"group": group}, "", None, "g"))
        for group, item in enumerate(cards, start=1)
    )
    written = write_package(tmp_path / "b.apkg", replace(held, items=items), Scheduler())
    assert (written.notes, written.cards, written.left_out) == (2, 2, 0)


@pytest.mark.parametrize("legacy", [True, False])
def test_what_anki_exports_comes_back_as_anki_remembers_it(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    path, back = tmp_path / "studyattn.apkg", tmp_path / "back.apkg"
    held = learnt()
    write_package(path, held, Scheduler())
    collection.import_anki_package(
        ImportAnkiPackageRequest(
            package_path=str(path), options=ImportAnkiPackageOptions(with_scheduling=True)
        )
    )
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
    )
    collection.export_anki_package(out_path=str(back), options=options, limit=None)
    assert format_of(back) is ANKI
    remembered = {
        row[0]: collection.compute_memory_state(row[1])
        for row in rows(collection, "SELECT n.guid, c.id FROM cards c JOIN notes n ON n.id = c.nid")
    }
    with homes.new() as database:
        import_file(database, back, ANKI, NOW, refold)
        with database.read() as connection:
            found = connection.execute(
                select(ItemRow.guid, ItemRow.stability, ItemRow.difficulty)
            ).all()
            assert len(load_snapshot(connection).reviews) == REVIEWS
        assert len(found) == len(held.items)
        for guid, stability, difficulty in found:
            assert stability == pytest.approx(remembered[guid].stability, rel=1e-4)
            assert difficulty == pytest.approx(remembered[guid].difficulty, rel=1e-4)
        again = import_file(database, back, ANKI, NOW, refold)
        assert again.changes_nothing
    with homes.new() as database:  # where the cards came from, nothing is new
        merge_into(database, held, refold)
        assert import_file(database, back, ANKI, NOW, refold).changes_nothing
