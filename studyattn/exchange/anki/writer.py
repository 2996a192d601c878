"""An Anki package of the learner's cards, with their history.

genanki writes the collection; what it leaves out (the review log, what is remembered, and the
version of the scheduler, without which Anki rewrites the ratings of learning reviews) is added to
the same collection before it is packed. The same holdings give the same bytes.
"""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

import genanki

from studyattn.exchange.anki.history import LogRow, card_row, walk
from studyattn.exchange.anki.markup import html
from studyattn.exchange.html.renderer import link
from studyattn.exchange.learning_note.content import links_of
from studyattn.exchange.reviews import review_log
from studyattn.memory import LoggedReview, MemoryState, Scheduler, day_start, learner_day
from studyattn.packs.card_kinds import kind_named
from studyattn.store.snapshot import CardRecord, ItemRecord, Snapshot
from studyattn.text.cloze import deletions

DECK_ID: Final = 1_846_203_117
BASIC_ID: Final = 1_846_203_118
CLOZE_ID: Final = 1_846_203_119
"""Numbers of ours in Anki, drawn once: with them a second import updates the first."""
DECK: Final = "studyattn"
_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_ZIP_DATE: Final = (2020, 1, 1, 0, 0, 0)
_STYLE: Final = ".card { font-family: sans-serif; font-size: 18px; text-align: left; }"

_BASIC = genanki.Model(
    BASIC_ID,
    "studyattn Basic",
    fields=[{"name": "Front"}, {"name": "Back"}],
    templates=[
        {
            "name": "Card 1",
            "qfmt": "{{Front}}",
            "afmt": "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}",
        }
    ],
    css=_STYLE,
)
_CLOZE = genanki.Model(
    CLOZE_ID,
    "studyattn Cloze",
    model_type=genanki.Model.CLOZE,
    fields=[{"name": "Text"}, {"name": "Back Extra"}],
    templates=[
        {"name": "Cloze", "qfmt": "{{cloze:Text}}", "afmt": "{{cloze:Text}}<br>\n{{Back Extra}}"}
    ],
    css=_STYLE,
)


@dataclass(frozen=True, slots=True)
class PackageCounts:
    """The numbers of what a package holds."""

    notes: int
    cards: int
    reviews: int
    left_out: int
    """Cards with fresh numbers every time, which Anki has not."""


@dataclass(frozen=True, slots=True)
class _PlacedCard:
    """One of our cards in the collection."""

    number: int
    item: ItemRecord
    rows: Sequence[LogRow]
    state: MemoryState


def write_package(
    path: Path | IO[bytes], snapshot: Snapshot, scheduler: Scheduler
) -> PackageCounts:
    """Write the package to `path`, a file. Raises OSError when it cannot be written."""
    package = _Package(snapshot, scheduler)
    with TemporaryDirectory() as folder:
        collection = Path(folder) / "collection.anki2"
        with closing(sqlite3.connect(collection)) as connection:
            written = package.write(connection)
            connection.commit()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in (("collection.anki2", collection.read_bytes()), ("media", b"{}")):
                entry = zipfile.ZipInfo(name, _ZIP_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
    return written


class _Package:
    """One collection while it is filled."""

    def __init__(self, snapshot: Snapshot, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._concepts = {each.slug: each for each in snapshot.concepts}
        self._logs: defaultdict[str, list[LoggedReview]] = defaultdict(list)
        for review in review_log(snapshot.reviews):
            self._logs[review.item_guid].append(review)
        self._offset = snapshot.reviews[-1].utc_offset if snapshot.reviews else 0
        self._cards = [each for each in snapshot.items if each.card and not each.retired]
        self._texts: defaultdict[str | None, set[tuple[str, str]]] = defaultdict(set)
        for each in self._cards:
            if each.card and kind_named(each.card.kind).gaps:
                self._texts[each.card.sibling_group].add((each.card.front, each.card.back))
        stamps = [each.at for each in snapshot.reviews]
        stamps += [each.created_at for each in self._cards if each.pack is None]
        self._changed = max(stamps, default=_EPOCH)
        first = min(stamps, default=_EPOCH)
        self._first_day = learner_day(first, self._offset, self._rollover)

    @property
    def _rollover(self) -> int:
        return self._scheduler.settings.rollover_hour

    def write(self, connection: sqlite3.Connection) -> PackageCounts:
        notes = dict(self._notes())
        deck = genanki.Deck(DECK_ID, DECK)
        for note in notes.values():
            deck.add_note(note)
        stamp = self._changed.timestamp()
        genanki.Package(deck).write_to_db(connection.cursor(), stamp, count(int(stamp * 1000)))
        cards = self._placed(connection)
        self._write_memory(connection, cards)
        reviews = self._write_log(connection, cards)
        self._write_configuration(connection)
        return PackageCounts(len(notes), len(cards), reviews, len(self._cards) - len(cards))

    def _notes(self) -> Iterable[tuple[str, genanki.Note]]:
        """Notes by guid; the gaps of one sentence are cards of one note."""
        for item in self._cards:
            card = item.card
            if card is None or kind_named(card.kind).drawn:
                continue
            name = self._note_guid(item)
            tags = [f"studyattn::{self._concepts[item.concept].slug}"]
            if kind_named(card.kind).gaps:
                fields = _cloze_fields(card, _read_on(item))
                yield name, genanki.Note(_CLOZE, fields, guid=name, tags=tags)
                continue
            answer = f"**{card.answer}**\n\n" if card.answer is not None else ""
            fields = [html(card.front), html(answer + card.back) + _read_on(item)]
            yield name, genanki.Note(_BASIC, fields, guid=name, tags=tags)

    def _note_guid(self, item: ItemRecord) -> str:
        """The note that a card is of: its own, or that of the siblings with which it shares a text.

        Siblings whose texts differ, as those of nested clozes do, are notes of their own.
        """
        if item.card is None or not kind_named(item.card.kind).gaps:
            return item.guid
        group = item.card.sibling_group
        return item.guid if group is None or len(self._texts[group]) > 1 else group

    def _placed(self, connection: sqlite3.Connection) -> list[_PlacedCard]:
        """Our items with the cards that genanki made of them."""
        rows = connection.execute(
            "SELECT notes.guid, cards.ord, cards.id FROM cards JOIN notes ON notes.id = cards.nid"
        )
        numbers: Mapping[tuple[str, int], int] = {(row[0], row[1]): row[2] for row in rows}
        placed = []
        for item in self._cards:
            number = numbers.get((self._note_guid(item), _ord(item)))
            if number is not None:  # of a drawn card there is no note
                log, state = walk(item.guid, self._logs[item.guid], self._scheduler)
                placed.append(_PlacedCard(number, item, log, state))
        return placed

    def _write_memory(self, connection: sqlite3.Connection, cards: Sequence[_PlacedCard]) -> None:
        for place, card in enumerate(cards, start=1):
            row = card_row(
                card.state,
                card.rows,
                first_day=self._first_day,
                position=place,
                suspended=card.item.suspended,
                retention=self._scheduler.settings.desired_retention,
                offset=self._offset,
                rollover_hour=self._rollover,
            )
            connection.execute(
                "UPDATE cards SET type = ?, queue = ?, due = ?, ivl = ?, factor = ?, reps = ?,"
                " lapses = ?, left = ?, data = ? WHERE id = ?",
                (
                    *(row.type, row.queue, row.due, row.interval, row.factor, row.reps),
                    *(row.lapses, row.left, row.data, card.number),
                ),
            )

    def _write_log(self, connection: sqlite3.Connection, cards: Sequence[_PlacedCard]) -> int:
        """The log in order of time; two reviews of one millisecond are told apart by the next."""
        log = sorted(
            ((row, card.number) for card in cards for row in card.rows),
            key=lambda each: (each[0].milliseconds, each[1]),
        )
        last = 0
        for row, number in log:
            last = max(row.milliseconds, last + 1)
            connection.execute(
                "INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)",
                (
                    *(last, number, row.ease, row.interval, row.last_interval),
                    *(row.factor, row.taken, row.kind),
                ),
            )
        return len(log)

    def _write_configuration(self, connection: sqlite3.Connection) -> None:
        """Write when the count of days begins, where the learner is, and which scheduler it is."""
        begin = day_start(self._first_day, self._offset, self._rollover)
        (text,) = connection.execute("SELECT conf FROM col").fetchone()
        conf: dict[str, Any] = json.loads(text)
        conf |= {
            "schedVer": 2,
            "sched2021": True,
            "fsrs": True,
            "rollover": self._rollover,
            "creationOffset": -self._offset,
            "localOffset": -self._offset,
        }
        changed = int(self._changed.timestamp() * 1000)
        connection.execute(
            "UPDATE col SET crt = ?, mod = ?, scm = ?, conf = ?",
            (int(begin.timestamp()), changed, changed, json.dumps(conf)),
        )


def _read_on(item: ItemRecord) -> str:
    """Return links for further reading, as HTML below the answer."""
    links = "\n".join(f"<li>{link(address, text)}</li>" for text, address in links_of(item))
    return f"\n<p><strong>Learn more</strong></p>\n<ul>\n{links}\n</ul>" if links else ""


def _cloze_fields(card: CardRecord, read_on: str) -> list[str]:
    """Text and Back Extra. Anki looks for gaps in the text alone, and shows it with the question:
    a back without gaps, which would give the answer away, is extra.
    """
    if deletions(card.back):
        return [html(f"{card.front}\n\n{card.back}", cloze=True), read_on]
    return [html(card.front, cloze=True), html(card.back) + read_on]


def _ord(item: ItemRecord) -> int:
    """Return the number of a card within its note, from 0."""
    if item.card is None or not kind_named(item.card.kind).gaps:
        return 0
    group = item.card.extra.get("group", 1)
    return group - 1 if isinstance(group, int) else 0
