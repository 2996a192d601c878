"""What Anki itself makes of our packages: the real program's library opens them.

Needs the optional group `interop`; without it these tests are skipped.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from studyattn.exchange.anki.format import ANKI
from studyattn.exchange.anki.known import without_known
from studyattn.exchange.anki.not_taken import NotTaken, Reason
from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.json_lines import read_lines, write_lines
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.registry import format_of
from studyattn.exchange.reviews import review_log
from studyattn.memory import MemoryState, Phase, Remembered, Scheduler, learner_day
from studyattn.memory import fold as fold_log
from studyattn.store.database import Database
from studyattn.store.models import ItemRow
from studyattn.store.queries.item_search import find_items
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.search import find
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    RatingName,
    ReviewRecord,
    Snapshot,
)
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import item_actions
from studyattn.study.review.rebuild import refold
from studyattn.text import cloze
from tests.exchange.homes import NOW, Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.cards import Card
from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)
from anki.decks import DeckId
from anki.notes import Note
from anki.scheduler.v3 import CardAnswer
from anki.scheduler.v3 import Scheduler as V3Scheduler

START = datetime(2012, 1, 5, 9, tzinfo=UTC)
END = datetime(2025, 1, 1, tzinfo=UTC)  # Anki takes no review from the future as it is
REVIEWS = 2000


def learnt() -> Snapshot:
    """Two thousand reviews, up to eight of a card, each taken when it was due or later."""
    draw = random.Random(7)
    scheduler = Scheduler()
    concept = ConceptRecord(
        "masking", "Masking", "unseen", "", None, None, None, 0, False, False, ()
    )
    items = []
    reviews: list[ReviewRecord] = []
    number = 0
    while len(reviews) < REVIEWS:
        number += 1
        cloze = number % 5 == 0
        card = CardRecord(
            "cloze" if cloze else "basic",
            f"Number {number}: ==$d_k$==" if cloze else f"Why $\\sqrt{{d_{{{number}}}}}$?",
            "Because.\n\n```python\nx = [1, 2]\n```",
            None,
            {"group": 1} if cloze else {},
            "",
            None,
            None,
        )
        guid = f"s:{number}"
        items.append(
            ItemRecord(
                guid, "card", "masking", None, None, number, START, False, False, False, None, card
            )
        )
        state: Any = None
        at = START + timedelta(minutes=number)
        log: list[ReviewRecord] = []
        for nth in range(min(8, REVIEWS - len(reviews))):
            if isinstance(state, Remembered):
                late = timedelta(days=draw.choice((0, 0, 1, 3)), seconds=draw.randrange(3600))
                at = max(state.due + late + timedelta(hours=5 * (state.phase is Phase.REVIEW)), at)
            if at > END:
                break
            log.append(
                ReviewRecord(
                    f"{number:04}-{nth}",
                    guid,
                    draw.choices(get_args(RatingName), (2, 1, 6, 1))[0],
                    None,
                    at,
                    0,
                    learner_day(at, 0),
                    4.0,
                    "learner",
                )
            )
            state = fold(guid, log, scheduler)
        reviews += log
    return Snapshot(concepts=(concept,), items=tuple(items), reviews=tuple(reviews)).ordered()


def fold(guid: str, log: Iterable[ReviewRecord], scheduler: Scheduler) -> MemoryState:
    """Return the state that the rows of an item's log lead to."""
    return fold_log(guid, review_log(log), scheduler)


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


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
    assert sorted(eases) == sorted(int(each.rating or 0) for each in review_log(held.reviews))


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
        for row in _rows(
            collection, "SELECT n.guid, c.id FROM cards c JOIN notes n ON n.id = c.nid"
        )
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


def test_notes_of_ankis_own_types_come_in(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    fields = {
        "Basic": ["What is \\(d_k\\)?", "A <b>width</b>.<br>Really."],
        "Basic (and reversed card)": ["softmax", "shares that sum to one"],
        "Cloze": ["{{c1::Keys}} and {{c2::values::what?}}", "more"],
    }
    for name, values in fields.items():
        model = collection.models.by_name(name)
        assert model is not None
        note = collection.new_note(model)
        note.fields = values
        collection.add_note(note, DeckId(1))
    path = tmp_path / "deck.apkg"
    collection.export_anki_package(
        out_path=str(path),
        options=ExportAnkiPackageOptions(with_scheduling=True, legacy=False),
        limit=None,
    )
    snapshot, media, not_taken = read_package(path, NOW)[:3]
    cards = [item.card for item in snapshot.items if item.card]
    assert sorted((card.kind, card.front, card.back) for card in cards) == [
        ("basic", "What is \\(d_k\\)?", "A **width**.\nReally."),
        ("basic", "shares that sum to one", "softmax"),
        ("basic", "softmax", "shares that sum to one"),
        ("cloze", "==1|Keys== and ==2|values::what?==", "more"),
        ("cloze", "==1|Keys== and ==2|values::what?==", "more"),
    ]
    assert (media, not_taken) == ((), ())


def added_note(collection: Collection, name: str, *fields: str, tags: str = "") -> Note:
    """Add a note of one of Anki's own types to the default deck."""
    notetype = collection.models.by_name(name)
    assert notetype is not None
    note = collection.new_note(notetype)
    note.fields[: len(fields)] = fields
    note.tags = tags.split()
    collection.add_note(note, DeckId(1))
    return note


def exported(collection: Collection, path: Path, *, legacy: bool) -> Path:
    """Let Anki export everything, with scheduling."""
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
    )
    collection.export_anki_package(out_path=str(path), options=options, limit=None)
    return path


def review_all(collection: Collection) -> int:
    """Answer each card once; the number of answers."""
    scheduler = collection.sched
    assert isinstance(scheduler, V3Scheduler)
    queued = scheduler.get_queued_cards(fetch_limit=100).cards
    for each in queued:
        card = Card(collection, backend_card=each.card)
        card.start_timer()
        answer = scheduler.build_answer(card=card, states=each.states, rating=CardAnswer.GOOD)
        scheduler.answer_card(answer)
    return len(queued)


@pytest.mark.parametrize("legacy", [True, False])
def test_nested_clozes_come_in_with_their_text_and_history(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    added_note(collection, "Cloze", "nested {{c1::outer {{c2::inner}} rest}}", "")
    assert review_all(collection) == 2
    path = exported(collection, tmp_path / "nested.apkg", legacy=legacy)
    snapshot, _, not_taken = read_package(path, NOW)[:3]
    assert [item.card.front for item in snapshot.items if item.card] == [
        "nested ==1|outer inner rest==",
        "nested outer ==2|inner== rest",
    ]
    assert {each.item_guid for each in snapshot.reviews} == {each.guid for each in snapshot.items}
    assert not_taken == ()
    # Anki gets both cards back, and they come in from there once more.
    back = tmp_path / "back.apkg"
    written = write_package(back, snapshot, Scheduler())
    assert (written.cards, written.reviews) == (2, 2)
    with homes.new() as database:
        assert not import_file(database, path, ANKI, NOW, refold).changes_nothing
        again = import_file(database, back, ANKI, NOW, refold)
        assert (again.added.get("items", 0), again.added.get("reviews", 0)) == (0, 0)


def test_clozes_where_markdown_has_no_gap_are_asked_and_come_back(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    texts = (
        "Area \\( \\pi {{c1::r^2}} \\)",
        "\\[ \\frac{ {{c1::a}} }{ {{c2::b::below}} } \\]",
        "<code>a = {{c1::b}}</code>",
        "<pre>x = {{c1::1}}</pre>",
        "anti{{c1::body}}",
        "{{c1::a}}{{c2::b}}",
        "in {{c1:: x }} spaces",
        "{{c1::one<br><br>two}}",
    )
    for text in texts:
        added_note(collection, "Cloze", text, "")
    assert review_all(collection) == 10
    path = exported(collection, tmp_path / "m.apkg", legacy=True)
    snapshot, _, not_taken = read_package(path, NOW)[:3]
    assert not_taken == ()
    fronts = []
    for card in (each.card for each in snapshot.items if each.card):
        group = card.extra.get("group")
        fronts.append(card.front if group is None else cloze.front(card.front, group))
    assert sorted(fronts) == sorted(
        [
            "Area \\( \\pi […] \\)",
            "\\[ \\frac{ […] }{ b } \\]",
            "\\[ \\frac{ a }{ [below] } \\]",
            "`a = […]`",
            "```\nx = […]\n```",
            "anti[…]",
            "[…]b",
            "a[…]",
            "in  ==[…]==  spaces",
            "[…]",
        ]
    )
    written = write_package(tmp_path / "back.apkg", snapshot, Scheduler())
    assert (written.cards, written.reviews, written.left_out) == (10, 10, 0)
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        assert import_file(database, tmp_path / "back.apkg", ANKI, NOW, refold).changes_nothing


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


def test_a_tag_of_any_length_comes_in_again(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    note = added_note(collection, "Basic", "one", "two", tags="short")
    path = exported(collection, tmp_path / "tags.apkg", legacy=True)
    note.tags = ["short", "x" * 5000]
    collection.update_note(note)
    again = exported(collection, tmp_path / "again.apkg", legacy=True)
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        import_file(database, again, ANKI, NOW, refold)
        with database.read() as connection:
            (item,) = load_snapshot(connection).items
        assert item.tags == ("short", "x" * 1000)


def test_the_longest_interval_of_anki_can_be_written_and_read_again(
    collection: Collection, tmp_path: Path
) -> None:
    added_note(collection, "Basic", "one", "two")
    assert collection.db is not None
    collection.db.execute("update cards set type=2, queue=2, ivl=99999, reps=9, factor=2500, due=9")
    path = exported(collection, tmp_path / "long.apkg", legacy=True)
    snapshot = read_package(path, NOW).snapshot
    (start,) = snapshot.starts
    assert start.interval == 36500
    written = [f"{each}\n".encode() for each in write_lines(snapshot)]
    assert read_lines(written, "x.jsonl") == snapshot


def test_notes_are_known_by_any_name_of_their_package(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    added_note(collection, "Basic (and reversed card)", "front", "back")
    first = exported(collection, tmp_path / "collection-1.apkg", legacy=True)
    added_note(collection, "Basic", "another", "note")
    assert review_all(collection) == 3
    second = exported(collection, tmp_path / "collection-2.apkg", legacy=True)
    with homes.new() as database:
        import_file(database, first, ANKI, NOW, refold)
        added = import_file(database, second, ANKI, NOW, refold).added
        assert (added["items"], added["reviews"]) == (1, 3)
        assert import_file(database, first, ANKI, NOW, refold).changes_nothing


def test_cards_named_after_their_package_are_known(collection: Collection, tmp_path: Path) -> None:
    added_note(collection, "Basic (and reversed card)", "front", "back")
    assert review_all(collection) == 2
    package = read_package(exported(collection, tmp_path / "new.apkg", legacy=True), NOW)
    theirs = package.snapshot
    (source,) = theirs.sources

    def earlier(name: str) -> str:
        return f"{source.guid}:{name.partition(':')[2]}"

    ours = replace(  # as an earlier version named them
        theirs,
        items=tuple(replace(each, guid=earlier(each.guid)) for each in theirs.items),
        reviews=tuple(
            replace(each, uuid=each.uuid[::-1], item_guid=earlier(each.item_guid))
            for each in theirs.reviews
        ),
    )
    new = without_known(package.labels, ours, theirs)
    assert (new.items, new.reviews, new.decisions) == ((), (), ())
    reversed_later = replace(ours, items=ours.items[:1])
    (added,) = without_known(package.labels, reversed_later, theirs).items
    assert added.guid == ours.items[1].guid


@pytest.mark.parametrize("legacy", [True, False])
def test_what_is_not_taken_is_listed_by_note_and_reason(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    added_note(collection, "Basic", "What is d_k?", "A width.", tags="marked")
    buried = added_note(collection, "Basic", "softmax", "shares")
    cloze = added_note(collection, "Cloze", "{{c1::Keys::what?}} {{c2::gone}}", "")
    cloze.fields[0] = "{{c1::Keys::what?}}"
    collection.update_note(cloze)
    collection.sched.bury_cards([buried.cards()[0].id])
    path = exported(collection, tmp_path / "deck.apkg", legacy=legacy)
    package = read_package(path, NOW)
    assert {(each.note, each.reason, each.what) for each in package.not_taken} == {
        ("{{c1::Keys::what?}}", Reason.NO_GAP, "card 2"),
    }
    marks = {item.card.front: item.marked for item in package.snapshot.items if item.card}
    assert marks == {"What is d_k?": True, "softmax": False, "==1|Keys::what?==": False}
    with homes.new() as database:
        weighed = preview(database, path, ANKI, NOW)
        taken = import_file(database, path, ANKI, NOW, refold)
        for result in (weighed, taken):
            lines = result.lines()
            assert lines[1] == "not taken:"
            place = lines.index(f"  {Reason.NO_GAP} (1 note):")
            assert lines[place + 1] == "    {{c1::Keys::what?}}: card 2"
            assert result.not_taken == package.not_taken


@pytest.mark.parametrize("legacy", [True, False])
def test_tags_and_flags_come_in_are_found_and_go_back(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    first = added_note(collection, "Basic", "What is d_k?", "A width.", tags="Heads ch::2 marked")
    both = added_note(collection, "Basic (and reversed card)", "softmax", "shares", tags="Größe")
    for number, card in zip((3, 7), (first.cards()[0], both.cards()[1]), strict=True):
        collection.set_user_flag_for_cards(number, [card.id])
    path = exported(collection, tmp_path / "deck.apkg", legacy=legacy)
    expected = {
        "What is d_k?": ("ch::2", "flag:green", "Heads"),
        "softmax": ("Größe",),
        "shares": ("flag:purple", "Größe"),
    }
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        with database.read() as connection:
            held = load_snapshot(connection)
            for query, fronts in (
                ("tag:CH", {"What is d_k?"}),
                ("tag:flag", set()),
                ("tag:flag:purple shares", {"shares"}),
                ('"tag:heads"', set()),
            ):
                assert {hit.title.text for hit in find(connection, query)} == fronts
            found = find_items(connection, ["tag:größe"], now=NOW, today=NOW.date(), leech_lapses=8)
            assert len(found) == 2
    assert {each.card.front: each.tags for each in held.items if each.card} == expected
    assert {each.name: each.value for each in held.decisions if each.field == "tags"} == {
        each.guid: list(each.tags) for each in held.items
    }
    back, again = tmp_path / "back.apkg", tmp_path / "again.apkg"
    write_package(back, held, Scheduler())
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(
            ImportAnkiPackageRequest(
                package_path=str(back), options=ImportAnkiPackageOptions(with_scheduling=True)
            )
        )
        assert len(other.find_cards("tag:ch::2 tag:heads flag:3 tag:marked")) == 1
        assert len(other.find_cards("tag:Größe")) == 2
        assert len(other.find_cards("flag:7")) == 1
        exported(other, again, legacy=legacy)
    finally:
        other.close()
    returned = read_package(again, NOW).snapshot
    assert {each.card.front: each.tags for each in returned.items if each.card} == expected


def test_a_card_in_a_filtered_deck_belongs_to_its_own_deck(
    collection: Collection, tmp_path: Path
) -> None:
    added_note(collection, "Basic", "softmax", "shares")
    filtered = collection.sched.get_or_create_filtered_deck(DeckId(0))
    filtered.config.search_terms[0].search = ""
    collection.sched.add_or_update_filtered_deck(filtered)
    path = exported(collection, tmp_path / "deck.apkg", legacy=True)
    assert [each.title for each in read_package(path, NOW).snapshot.concepts] == ["Default"]


def test_labels_changed_in_anki_are_taken_of_known_cards_unless_decided_later_here(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    first = added_note(collection, "Basic (and reversed card)", "one", "two", tags="a b")
    second = added_note(collection, "Basic", "three", "four", tags="a")
    path = exported(collection, tmp_path / "deck.apkg", legacy=False)
    now = datetime.now(UTC)

    def labels(database: Database) -> dict[str, tuple[str, ...]]:
        with database.read() as connection:
            items = load_snapshot(connection).items
        marks = {each.guid: ("marked",) if each.marked else () for each in items}
        return {each.card.front: each.tags + marks[each.guid] for each in items if each.card}

    with homes.new() as database:
        import_file(database, path, ANKI, now, refold)
        assert labels(database) == {"one": ("a", "b"), "two": ("a", "b"), "three": ("a",)}
        later = Profile(database.home, database, FixedClock(now + timedelta(hours=1)))
        item_actions.tag(later, read_package(path, now).guids[second.card_ids()[0]], ["mine"])
        first.tags, second.tags = ["c", "marked"], ["theirs"]
        collection.update_notes([first, second])
        collection.set_user_flag_for_cards(1, [first.card_ids()[1]])
        path = exported(collection, tmp_path / "deck.apkg", legacy=False)
        assert not import_file(database, path, ANKI, now, refold).changes_nothing
        expected = {"one": ("c", "marked"), "two": ("c", "flag:red", "marked"), "three": ("mine",)}
        assert labels(database) == expected
        assert import_file(database, path, ANKI, now, refold).changes_nothing
        assert collection.db is not None
        collection.db.execute("UPDATE notes SET mod = mod + 7200")
        path = exported(collection, tmp_path / "deck.apkg", legacy=False)
        import_file(database, path, ANKI, now, refold)
        assert labels(database) == expected | {"three": ("theirs",)}


@pytest.mark.parametrize("legacy", [True, False])
def test_pictures_and_sounds_are_kept_and_go_back(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    contents = {"map 1.png": b"x" * 3000, "höre.mp3": b"y" * 812}
    for name, content in contents.items():
        collection.media.write_data(name, content)
    added_note(collection, "Basic", 'Seen? <img src="map 1.png" alt="A map">', "[sound:höre.mp3]")
    added_note(collection, "Basic", "Twice?", '<img src="map%201.png"><img src="gone.png">')
    path = exported(collection, tmp_path / "deck.colpkg", legacy=legacy)
    with homes.new() as database:
        folder = database.home.media
        weighed = preview(database, path, ANKI, NOW)
        assert not folder.exists()
        taken = import_file(database, path, ANKI, NOW, refold)
        with database.read() as connection:
            held = load_snapshot(connection)
        texts = {item.card.front: item.card.back for item in held.items if item.card}
        (picture,) = (each.name for each in folder.glob("map-1-*.png"))
        (sound,) = (each.name for each in folder.glob("hore-*.mp3"))
        assert texts == {
            f"Seen? ![A map](media/{picture})": f"[höre.mp3](media/{sound})",
            "Twice?": f"![](media/{picture})![](gone.png)",
        }
        assert (folder / picture).read_bytes() == contents["map 1.png"]
        assert (folder / sound).read_bytes() == contents["höre.mp3"]
        assert len(list(folder.iterdir())) == 2
        for result in (weighed, taken):
            assert result.not_taken == (NotTaken("Twice?", Reason.FILE, "gone.png"),)
            assert result.lines()[-1] == (
                "2 pictures and sounds in the folder media of the home (4 kB)"
            )
        (folder / sound).unlink()
        assert import_file(database, path, ANKI, NOW, refold).changes_nothing
        assert (folder / sound).is_file()
        back = tmp_path / "back.apkg"
        written = write_package(back, held, Scheduler(), folder)
        assert (written.media, written.missing) == (2, 0)
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(ImportAnkiPackageRequest(package_path=str(back)))
        files = {each.name: each.read_bytes() for each in Path(other.media.dir()).iterdir()}
        assert files == {picture: contents["map 1.png"], sound: contents["höre.mp3"]}
        assert not other.media.check().unused
        shown = [other.get_card(number) for number in other.find_cards("Seen?")]
        assert [str(card.answer_av_tags()) for card in shown] == [
            f"[SoundOrVideoTag(filename={sound!r})]"
        ]
        exported(other, tmp_path / "again.apkg", legacy=legacy)
    finally:
        other.close()
    again = read_package(tmp_path / "again.apkg", NOW)
    assert {each.name: each.kept for each in again.media} == {picture: picture, sound: sound}
    assert {e.card.front for e in again.snapshot.items if e.card} == set(texts)


@pytest.mark.parametrize("legacy", [True, False])
def test_hints_of_clozes_come_in_are_shown_and_go_back(
    collection: Collection, tmp_path: Path, legacy: bool
) -> None:
    text = "{{c1::a &lt;b&gt;::of two &amp; three}} and {{c2::<code>x[&#58;&#58;2]</code>}}"
    added_note(collection, "Cloze", text, "")
    held = read_package(exported(collection, tmp_path / "in.apkg", legacy=legacy), NOW).snapshot
    front = "==1|a <b>::of two & three== and ==2|`x[::2]`=="
    assert {each.card.front for each in held.items if each.card} == {front}
    assert cloze.front(front, 1) == "==[of two & three]== and `x[::2]`"
    assert cloze.front(front, 2) == "a <b> and ==[…]=="
    back = tmp_path / "back.apkg"
    write_package(back, held, Scheduler())
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(ImportAnkiPackageRequest(package_path=str(back)))
        questions = [other.get_card(number).question() for number in other.find_cards("")]
        assert "[of two &amp; three]" in questions[0]
        assert "[...]" in questions[1]
        again = read_package(exported(other, tmp_path / "again.apkg", legacy=legacy), NOW)
    finally:
        other.close()
    assert {each.card.front for each in again.snapshot.items if each.card} == {front}


@pytest.mark.parametrize("legacy", [True, False])
def test_cards_show_what_their_templates_show(
    collection: Collection, tmp_path: Path, legacy: bool
) -> None:
    notetype = collection.models.new("Capitals")
    for name in ("Country", "Capital", "Map", "Remark"):
        collection.models.add_field(notetype, collection.models.new_field(name))
    for name, question, answer in (
        ("1", "Capital of {{Country}}?", "{{FrontSide}}<hr id=answer>{{Capital}} {{Map}}"),
        ("2", "{{#Map}}{{Capital}}: where?{{/Map}}", "{{Capital}}: where?<br>{{Country}}"),
        ("3", "{{tts de:Capital}}{{text:Capital}} {{type:Country}}", "{{Country}}{{Tags}}"),
    ):
        template = collection.models.new_template(name)
        template["qfmt"], template["afmt"] = question, answer
        collection.models.add_template(notetype, template)
    collection.models.add(notetype)
    for fields in (("France", "Paris", "north", "by heart"), ("Chad", "N'Djamena", "", "")):
        added_note(collection, "Capitals", *fields)
    added_note(
        collection,
        "Image Occlusion",
        "{{c1::image-occlusion:rect:left=.1:top=.1:width=.2:height=.2:oi=1}}",
        "<img src=brain.png>",
        "Brain",
    )
    package = read_package(exported(collection, tmp_path / "in.apkg", legacy=legacy), NOW)
    cards = [each.card for each in package.snapshot.items if each.card]
    assert {(each.kind, each.front, each.back, each.answer) for each in cards} == {
        ("basic", "Capital of France?", "Paris north", None),
        ("basic", "Capital of Chad?", "N'Djamena", None),
        ("basic", "Paris: where?", ": where?\nFrance", None),
        ("typed", "Paris", "", "France"),
        ("typed", "N'Djamena", "", "Chad"),
    }
    assert [(each.note, each.reason, each.what) for each in package.not_taken] == [
        ("France", Reason.FIELD, "Remark"),
        (package.not_taken[1].note, Reason.OCCLUSION, "card 1"),
    ]


def test_a_whole_collection_comes_in(collection: Collection, homes: Homes, tmp_path: Path) -> None:
    added_note(collection, "Basic", "softmax", "shares", tags="heads")
    added_note(collection, "Cloze", "{{c1::Keys}}", "")
    collection.media.write_data("unnamed.gif", b"z")
    assert review_all(collection) == 2
    collection.set_config("rollover", 2)
    remembered = [
        collection.compute_memory_state(number).stability or 0
        for number in collection.find_cards("")
    ]
    path = tmp_path / "collection.colpkg"
    collection.export_collection_package(str(path), include_media=True, legacy=False)
    with homes.new() as database:
        taken = import_file(database, path, ANKI, NOW, refold)
        assert (taken.added["items"], taken.added["reviews"]) == (2, 2)
        assert taken.lines()[1:] == [
            "1 picture or sound not imported, because no imported card uses them:",
            "  unnamed.gif  1 byte",
        ]
        with database.read() as connection:
            found = connection.execute(select(ItemRow.stability)).scalars().all()
    assert sorted(each or 0 for each in found) == pytest.approx(sorted(remembered), rel=1e-4)


def _rows(collection: Collection, query: str) -> list[Any]:
    assert collection.db is not None
    return list(collection.db.all(query))
