"""A collection of the real Anki and a home that exchange packages: only what changed moves."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from studyattn.errors import InputError
from studyattn.exchange.anki.into import Sent, send
from studyattn.exchange.anki.package import unicase
from studyattn.exchange.anki.writer import PackageCounts, write_package
from studyattn.exchange.import_file import import_file
from studyattn.exchange.merge.merge_into import MergeReport
from studyattn.exchange.registry import ANKI
from studyattn.memory import Phase, Rating, Remembered, Scheduler
from studyattn.store.database import Database
from studyattn.store.queries.items import ItemField
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import ItemRecord
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import item_actions
from studyattn.study.review.batch import answer
from studyattn.study.review.rebuild import refold
from tests.exchange.anki.real_anki import added_note, exported, review_all, rows
from tests.exchange.homes import Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from anki.notes import Note

from benchmarks.anki_round_trip import states_of

CLOZE = ("==1|a== of ==2|b==", "==1|a== is ==2|b==", "x")
TABLES = {
    "notes": "SELECT guid, mid, flds, trim(tags), mod FROM notes ORDER BY guid",
    "cards": "SELECT id, nid, did, ord, type, queue, due, ivl, factor, reps, lapses, left, odue,"
    " odid, flags, data FROM cards ORDER BY id",
    "revlog": "SELECT id, cid, ease, ivl, lastIvl, factor, time, type FROM revlog ORDER BY id",
    "types": "SELECT id, name, mtime_secs FROM notetypes ORDER BY id",
    "decks": "SELECT id, name FROM decks ORDER BY id",
}


class Pair:
    """Anki's collection and a home, which send each other packages."""

    def __init__(self, collection: Collection, database: Database, folder: Path) -> None:
        self.collection = collection
        self.database = database
        self._folder = folder
        self.now = datetime.now(UTC)

    def to_home(self) -> MergeReport:
        path = exported(self.collection, self._folder / "theirs.apkg", legacy=False)
        return import_file(self.database, path, ANKI, self.now, refold)

    def to_anki(self) -> tuple[int, int]:
        """Have Anki import what the home holds; how many notes it says are new and updated."""
        self.write(self._folder / "ours.apkg")
        options = ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True)
        path = str(self._folder / "ours.apkg")
        asked = ImportAnkiPackageRequest(package_path=path, options=options)
        log = self.collection.import_anki_package(asked).log
        return len(log.new), len(log.updated)

    def write(self, path: Path) -> PackageCounts:
        with self.database.read() as connection:
            held = load_snapshot(connection)
        return write_package(path, held, Scheduler(), self.database.home.media)

    def items(self) -> dict[str, ItemRecord]:
        """The items by their questions."""
        with self.database.read() as connection:
            items = load_snapshot(connection).items
        return {each.card.front: each for each in items if each.card}

    def edit(self, question: str, front: str, back: str, *, hours: int = 1) -> None:
        clock = FixedClock(self.now + timedelta(hours=hours))
        profile = Profile(self.database.home, self.database, clock)
        item_actions.edit(profile, self.items()[question].guid, front, back)

    def anki(self) -> dict[str, Any]:
        return {n: [*map(tuple, rows(self.collection, q))] for n, q in TABLES.items()}


def field_of(note: Note, number: int) -> str:
    note.load()
    return str(note.fields[number])


def reworded(collection: Collection, note: Note, number: int, text: str, *, hours: int) -> None:
    """Change a field of a note as Anki does at an hour from now."""
    note.load()
    note.fields[number] = text
    collection.update_note(note)
    assert collection.db is not None
    collection.db.execute("UPDATE notes SET mod = mod + ? WHERE id = ?", hours * 3600, note.id)


@pytest.fixture
def pair(collection: Collection, homes: Homes, tmp_path: Path) -> Any:
    with homes.new() as database:
        yield Pair(collection, database, tmp_path)


def test_what_nobody_changed_stays_as_it_is_in_anki(pair: Pair) -> None:
    for name, fields in (
        ("Basic", ("<div>A <b>b</b>&nbsp;c</div>", "<ul><li>x</li></ul>")),
        ("Basic (and reversed card)", ("one", "two")),
        ("Cloze", ("{{c1::a {{c2::nested}} gap}} and {{c1,2::both}}", "")),
        ("Image Occlusion", ("{{c1::image-occlusion:rect:left=.1:top=.1}}", "<img src=x.png>")),
    ):
        added_note(pair.collection, name, *fields, tags="b a studyattn::deck")
    before = pair.anki()
    for _ in range(2):
        pair.to_home()
        assert pair.to_anki() == (0, 0)
        assert pair.anki() == before
    assert pair.to_home().changes_nothing


@pytest.mark.parametrize(
    ("name", "fields", "edit", "field"),
    [
        ("Basic", ("one", "<i>two</i>"), ("one", "one", "**three** $x_1$"), "<strong>three"),
        ("Basic (type in the answer)", ("one", "two"), ("one", "ONE", ""), "ONE"),
        ("Cloze", ("{{c1::a}} of {{c2::b}}", "x"), CLOZE, "is {{c2::b}}"),
    ],
)
def test_a_text_edited_here_is_updated_in_anki(
    pair: Pair, name: str, fields: tuple[str, ...], edit: tuple[str, ...], field: str
) -> None:
    question, *edited = edit
    note = added_note(pair.collection, name, *fields)
    other = added_note(pair.collection, "Basic", "other", "text")
    pair.to_home()
    pair.edit(question, *edited)
    assert pair.to_anki() == (0, 1)
    assert field in "\x1f".join(pair.collection.get_note(note.id).fields)
    assert pair.collection.get_note(other.id).fields == ["other", "text"]
    pair.to_home()  # the other gap of the sentence has its new text, too
    assert pair.to_anki() == (0, 0)
    assert pair.to_home().changes_nothing


def test_a_text_with_two_fields_on_a_side_goes_to_the_one_that_was_edited(pair: Pair) -> None:
    collection = pair.collection
    notetype = collection.models.copy(collection.models.by_name("Basic"), add=False)  # type: ignore[arg-type]  # it is there
    notetype["name"] = "Word"
    collection.models.add_field(notetype, collection.models.new_field("Example"))
    notetype["tmpls"][0]["afmt"] = "{{FrontSide}}<hr id=answer>{{Back}}<br>Such as: {{Example}}"
    collection.models.add(notetype)
    note = added_note(collection, "Word", "der Hund", "dog", "<i>Der</i> Hund bellt.")
    pair.to_home()
    pair.edit("der Hund", "der Hund", "dog\nSuch as: The dog barks.")
    assert pair.to_anki() == (0, 1)
    assert collection.get_note(note.id).fields == ["der Hund", "dog", "The dog barks."]
    # What no one field can take is said, and left as it is there.
    pair.edit("der Hund", "der Hund", "all of it anew", hours=2)
    assert pair.write(Path(collection.path).parent / "x.apkg").refused == 1
    assert pair.to_anki() == (0, 0)
    assert pair.to_home().changes_nothing


def test_a_text_changed_in_anki_arrives_and_keeps_the_earlier_one(pair: Pair) -> None:
    note = added_note(pair.collection, "Basic", "front", "back")
    pair.to_home()
    reworded(pair.collection, note, 1, "another <b>back</b>", hours=1)
    report = pair.to_home()
    assert report.lines() == ["1 earlier wording added; 1 item changed"]
    assert pair.items()["front"].card.back == "another **back**"  # type: ignore[union-attr]  # a card
    assert pair.to_home().changes_nothing
    reworded(pair.collection, note, 1, "a third", hours=2)
    assert not pair.to_home().conflicts
    assert pair.items()["front"].card.back == "a third"  # type: ignore[union-attr]  # a card
    assert pair.to_anki() == (0, 0)


@pytest.mark.parametrize(("hours", "winner"), [(1, "ours"), (5, "theirs")])
def test_a_text_changed_on_both_sides_is_told_as_a_conflict(
    pair: Pair, hours: int, winner: str
) -> None:
    note = added_note(pair.collection, "Basic", "front", "back")
    pair.to_home()
    pair.edit("front", "front", "ours", hours=3)
    reworded(pair.collection, note, 1, "theirs", hours=hours)
    (conflict,) = pair.to_home().conflicts
    assert {conflict.kept.body, conflict.other.body} == {"ours", "theirs"}
    assert conflict.kept.body == pair.items()["front"].card.back == winner  # type: ignore[union-attr]  # a card
    assert pair.to_anki() == (0, int(winner == "ours"))
    assert field_of(note, 1) == winner
    assert not pair.to_home().conflicts


def test_labels_changed_on_either_side_reach_the_other(pair: Pair) -> None:
    note = added_note(pair.collection, "Basic", "front", "back", tags="a")
    pair.to_home()
    later = Profile(pair.database.home, pair.database, FixedClock(pair.now + timedelta(hours=1)))
    guid = pair.items()["front"].guid
    item_actions.change(later, guid, ItemField.TAGS, ("b",))
    assert pair.to_anki() == (0, 1)
    note.load()
    assert note.tags == ["b"]
    pair.collection.sched.suspend_cards(note.card_ids())
    pair.to_home()
    assert pair.items()["front"].suspended
    assert pair.items()["front"].tags == ("b",)


def test_reviews_and_texts_go_into_the_collection_of_a_closed_anki(
    pair: Pair, tmp_path: Path
) -> None:
    notes = [added_note(pair.collection, "Basic", f"front {n}", "back") for n in range(4)]
    review_all(pair.collection)
    assert pair.collection.db is not None
    pair.collection.db.execute("UPDATE revlog SET id = id - ?", 3 * 86_400_000)
    pair.collection.fix_integrity()
    pair.to_home()
    before = pair.anki()
    first, second, third, _ = (note.card_ids()[0] for note in notes)
    clock = FixedClock(pair.now + timedelta(minutes=1))
    profile = Profile(pair.database.home, pair.database, clock)
    guids = {question: item.guid for question, item in pair.items().items()}
    answer(profile, guids["front 0"], Rating.GOOD)
    answer(profile, guids["front 1"], Rating.AGAIN)
    item_actions.change(profile, guids["front 2"], ItemField.SUSPENDED, True)
    pair.edit("front 3", "front 3", "another back", hours=2)
    package = tmp_path / "back.apkg"
    pair.write(package)
    path = Path(pair.collection.path)
    home = ["--home", str(pair.database.home.root)]
    command = [sys.executable, "-m", "studyattn", *home, "export", "anki", "--into", str(path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, "Close Anki" in refused.stderr) == (2, True), refused.stderr
    pair.collection.close()
    sent = send(package, path, clock.now())
    assert (sent.notes, sent.cards, sent.reviews) == (1, 3, 2)
    assert_nothing_to_send(package, path, clock.now())
    pair.collection = Collection(str(path))
    try:
        told, sound = pair.collection.fix_integrity()
        assert sound, told
        after, states = pair.anki(), states_of(pair.database)
        known = set(before["revlog"])
        new = [row for row in after["revlog"] if row not in known]
        assert [(row[1], row[2]) for row in new] == [(first, 3), (second, 1)]
        assert len(after["revlog"]) == len(known) + 2
        for number in (first, second):
            ours = states[guids[f"front {int(number == second)}"]]
            assert isinstance(ours, Remembered)
            theirs = pair.collection.compute_memory_state(number)
            assert theirs.stability == pytest.approx(ours.stability, rel=1e-4)
            assert pair.collection.get_card(number).reps == 2
            by_day = pair.collection.sched.today + (ours.due.date() - ours.last_day).days
            instant = int(ours.due.timestamp())
            due = by_day if ours.phase is Phase.REVIEW else instant
            assert pair.collection.get_card(number).due == due
        assert pair.collection.get_card(third).queue == -1
        assert pair.collection.get_note(notes[3].id).fields == ["front 3", "another back"]
        assert pair.to_home().changes_nothing
    finally:
        pair.collection.close()


def test_reviews_in_anki_that_the_home_lacks_are_never_written_over(
    pair: Pair, tmp_path: Path
) -> None:
    note = added_note(pair.collection, "Basic", "front", "back")
    review_all(pair.collection)
    pair.to_home()
    later = pair.now + timedelta(days=1)
    profile = Profile(pair.database.home, pair.database, FixedClock(later))
    answer(profile, pair.items()["front"].guid, Rating.GOOD)
    pair.write(tmp_path / "back.apkg")
    assert pair.collection.db is not None
    row = "INSERT INTO revlog VALUES (?, ?, -1, 3, 4, 2, 2500, 900, 1)"
    at = int(later.timestamp() * 1000) + 5
    pair.collection.db.execute(row, at, note.card_ids()[0])
    path = Path(pair.collection.path)
    pair.collection.close()
    with pytest.raises(InputError, match="1 newer review"):
        send(tmp_path / "back.apkg", path, later)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda path: path.write_bytes(b"no database, but of some length" * 40), "damaged"),
        (lambda path: _execute(path, "DROP TABLE revlog"), "tables of an Anki collection"),
        (lambda path: _execute(path, "ALTER TABLE cards DROP COLUMN odue"), "tables of an"),
        (lambda path: path.with_name("c-before-studyattn.anki2").mkdir(), "cannot be written"),
        (lambda path: path.unlink(), "no such file"),
    ],
)
def test_what_keeps_a_collection_from_being_changed_is_told(
    pair: Pair, tmp_path: Path, spoil: Callable[[Path], object], told: str
) -> None:
    note = added_note(pair.collection, "Basic", "front", "back")
    review_all(pair.collection)
    pair.to_home()
    pair.edit("front", "front", "another", hours=2)
    pair.write(tmp_path / "back.apkg")
    assert pair.collection.get_note(note.id).fields == ["front", "back"]
    path = tmp_path / "c.anki2"
    pair.collection.close()
    shutil.copy(pair.collection.path, path)
    spoil(path)
    with pytest.raises(InputError) as refused:
        send(tmp_path / "back.apkg", path, pair.now)
    assert told in str(refused.value)
    assert "Close Anki" not in str(refused.value)


def assert_nothing_to_send(package: Path, path: Path, now: datetime) -> None:
    written = path.read_bytes()
    assert send(package, path, now) == Sent(0, 0, 0, None)
    assert path.read_bytes() == written


def _execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.create_collation("unicase", unicase)
        connection.execute(statement)
