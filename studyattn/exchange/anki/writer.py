"""An Anki package of the learner's cards, with their history.

genanki makes the collection with its deck and note types; notes, cards and the review log are
written here, many in a statement. So is what Anki needs to forecast as we do: the parameters, the
desired retention, and the version of the scheduler, without which Anki rewrites the ratings of
learning reviews. The same snapshot gives the same bytes.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha1
from itertools import count
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, NamedTuple

import genanki

from studyattn.exchange.anki.history import card_row, milliseconds_of, walk
from studyattn.exchange.anki.markup import html
from studyattn.exchange.anki.peer import (
    BASIC_ID,
    CLOZE_ID,
    DECK_ID,
    LOG,
    MARKED,
    OUR_TAG,
    SCHEDULE,
    Peers,
    flag_of,
    new_rows,
    schedule_back,
)
from studyattn.exchange.anki.protobuf import page
from studyattn.exchange.anki.revlog import RevlogRow, Schedule
from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.html.renderer import link
from studyattn.exchange.learning_note.content import links_of
from studyattn.exchange.reviews import logs_of, starts_of
from studyattn.memory import (
    MemoryState,
    New,
    Scheduler,
    day_start,
    effective_reviews,
    learner_day,
)
from studyattn.packs.card_kinds import kind_named
from studyattn.packs.corrections import correct_answer
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.queries.snapshot import WITHOUT_ANKIS_REVIEWS, Only
from studyattn.store.snapshot import CardRecord, ItemRecord, Snapshot
from studyattn.store.tags import FLAGS, tags_of
from studyattn.text.cloze import deletions
from studyattn.text.counting import count as counted
from studyattn.text.media import named_media

DECK: Final = "studyattn"
_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_ZIP_DATE: Final = (2020, 1, 1, 0, 0, 0)
_LEVEL: Final = 1  # of compression: a higher one takes four times as long for a tenth less
_GAP: Final = re.compile(r"\{\{c([0-9]+)::")
_TAG: Final = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class PackageCounts:
    """The numbers of what a package holds."""

    notes: int
    cards: int
    reviews: int
    left_out: int
    """Cards with fresh numbers every time, which Anki has not."""
    media: int = 0
    """Pictures and sounds."""
    missing: int = 0
    """Pictures and sounds that cards name and the home has not."""
    refused: int = 0
    """Texts that were worded here and that no field of a note from Anki can take."""


def write(source: ExportInput) -> Written:
    """Write a package of a home."""
    package = io.BytesIO()
    errata = installed_errata(source.home)
    held = write_package(
        *(package, source.snapshot, source.scheduler, source.home.media, errata),
        with_own=not source.selection.returning,
    )
    numbers = ((held.notes, "note"), (held.cards, "card"), (held.reviews, "review"))
    summary = ", ".join(counted(number, kind) for number, kind in numbers)
    if held.media:
        summary += f", {counted(held.media, 'picture or sound', 'pictures and sounds')}"
    if held.missing:
        summary += f"; {counted(held.missing, 'picture or sound', 'pictures and sounds')} not there"
    if held.refused:
        summary += (
            f"; {counted(held.refused, 'text')} reworded here that its note in Anki cannot take"
        )
    if held.left_out:
        summary += f"; {counted(held.left_out, 'card')} with fresh numbers left out"
    return Written(package.getvalue(), summary)


def only() -> Only:
    """Return the rows of the database that a package needs, by table."""
    return WITHOUT_ANKIS_REVIEWS


class _Note(NamedTuple):
    """A note of the collection, with the items that are its cards."""

    notetype: int
    fields: list[str]
    tags: set[str]
    items: list[ItemRecord]

    def add(self, item: ItemRecord) -> None:
        """Make an item a card of the note."""
        self.items.append(item)
        self.tags.update(each for each in item.tags if each not in FLAGS)
        if item.marked:
            self.tags.add(MARKED)


def write_package(
    path: Path | IO[bytes],
    snapshot: Snapshot,
    scheduler: Scheduler,
    media: Path | None = None,
    errata: Iterable[Erratum] = (),
    *,
    with_own: bool = True,
) -> PackageCounts:
    """Write the package to `path`, a file; `media` is the folder of pictures and sounds.

    Without `with_own` it has only what came from Anki.

    Below an answer of the learner's own material that `errata` contradict is its correction.

    Raises OSError when it cannot be written.
    """
    package = _Package(snapshot, scheduler, tuple(errata), with_own=with_own)
    named = package.media()
    places = {name: media / kept for name, kept in named.items()} if media else {}
    there = {name: each for name, each in places.items() if each.is_file()}
    with TemporaryDirectory() as folder:
        collection = Path(folder) / "collection.anki2"
        with closing(sqlite3.connect(collection)) as connection:
            connection.execute("PRAGMA synchronous = OFF")  # the file is ours, and gone after this
            written = package.write(connection)
            connection.commit()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            listed = json.dumps({str(number): name for number, name in enumerate(there)})
            packed = {"collection.anki2": collection.read_bytes(), "media": listed.encode()}
            for name, data in packed.items():
                entry = zipfile.ZipInfo(name, _ZIP_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data, compresslevel=_LEVEL)
            for number, each in enumerate(there.values()):
                entry = zipfile.ZipInfo(str(number), _ZIP_DATE)
                with archive.open(entry, "w") as target, each.open("rb") as source:
                    shutil.copyfileobj(source, target)
    return replace(written, media=len(there), missing=len(named) - len(there))


class _Package:
    """One collection while it is filled."""

    def __init__(
        self,
        snapshot: Snapshot,
        scheduler: Scheduler,
        errata: tuple[Erratum, ...],
        *,
        with_own: bool,
    ) -> None:
        self._scheduler = scheduler
        self._errata = errata
        self._sources = {each.guid: each.title for each in snapshot.sources}
        self._logs, self._starts = logs_of(snapshot), starts_of(snapshot)
        self._offset = snapshot.reviews[-1].utc_offset if snapshot.reviews else 0
        self._peers = Peers(snapshot)
        self._cards = _own_cards(snapshot) if with_own else []
        stamps = [each.at for each in snapshot.reviews]
        stamps += [each.created_at for each, _ in self._cards if each.pack is None]
        self._changed = max(stamps, default=_EPOCH)
        first = min(stamps, default=_EPOCH)
        self._first_day = learner_day(first, self._offset, self._rollover)
        self._last_day = learner_day(self._changed, self._offset, self._rollover)

    @property
    def _rollover(self) -> int:
        return self._scheduler.settings.rollover_hour

    def media(self) -> dict[str, str]:
        """Return the pictures and sounds of the cards: their names, and those in the home."""
        own = named_media(*(text for _, card in self._cards for text in (card.front, card.back)))
        named = {name: name for name in own}
        for note in self._peers.notes:
            named |= note.media
        return named

    def write(self, connection: sqlite3.Connection) -> PackageCounts:
        notes = self._notes()
        deck = genanki.Deck(DECK_ID, DECK)
        for notetype in page()["note_types"]:
            if any(note.notetype == notetype["model_id"] for note in notes.values()):
                deck.add_model(genanki.Model(**notetype))
        stamp = self._changed.timestamp()
        numbers = self._numbers(int(stamp * 1000))
        genanki.Package(deck).write_to_db(connection.cursor(), stamp, numbers)
        changed = int(stamp)
        note_rows: list[tuple[object, ...]] = []
        card_rows: list[tuple[object, ...]] = []
        log: list[tuple[int, ...]] = []
        logs = {
            item.guid: self._logs.get(item.guid, ())
            for note in notes.values()
            for item in note.items
        }
        walks = walk(logs, self._scheduler, self._starts)
        for guid, note in notes.items():
            number = next(numbers)
            note_rows.append((number, guid, note.notetype, changed, *_note_columns(note)))
            for item in note.items:
                card = next(numbers)
                rows, state = next(walks)
                log += _of_card(card, rows)
                schedule = self._schedule(item, rows, state, len(card_rows) + 1)
                card_rows.append((card, number, DECK_ID, _ord(item), changed, *schedule))
        left_out = len(self._cards) - len(card_rows)
        decks = self._add_peers(note_rows, card_rows, log)
        connection.executemany(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')", note_rows
        )
        connection.executemany(
            "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
            card_rows,
        )
        _write_log(connection, log)
        self._write_configuration(connection, decks, with_own=bool(notes))
        answers = sum(1 <= row[2] <= 4 for row in log)
        counted = (len(note_rows), len(card_rows), answers, left_out)
        return PackageCounts(*counted, refused=self._peers.refused)

    def _numbers(self, first: int) -> Iterator[int]:
        """Yield numbers for our notes and cards, none of which one of Anki's has."""
        taken = {each.number for each in self._peers.notes}
        taken |= {each.number for each in self._peers.every_card}
        return (number for number in count(first) if number not in taken)

    def _add_peers(
        self,
        notes: list[tuple[object, ...]],
        cards: list[tuple[object, ...]],
        log: list[tuple[int, ...]],
    ) -> dict[str, int]:
        """Add what came from Anki. Return the numbers of its decks."""
        first_day = self._first_day.toordinal() - date(1970, 1, 1).toordinal()
        numbers: dict[str, int] = {"Default": 1, DECK: DECK_ID}
        answered = self._answered()
        for note in self._peers.notes:
            row = (note.number, note.guid, int(note.notetype), note.changed, note.tags)
            notes.append((*row, note.fields, *_sorted_by(note.fields)))
            for card in self._peers.cards[note.guid]:
                deck = numbers.setdefault(card.deck, DECK_ID + 10 + len(numbers))
                item, changed = self._peers.item(card), card.changed
                rows = LOG.decode(card.log)
                walked, state = answered.get(card.item_guid, ((), New()))
                new = new_rows(walked, rows)
                log += _of_card(card.number, (*rows, *new))
                was = SCHEDULE.decode(card.schedule)
                schedule = schedule_back(was, item)
                if schedule != was:
                    changed = self._peers.decided(card, changed)
                if schedule.is_due_by_day:
                    schedule = schedule._replace(due=schedule.due - first_day)
                if item is not None and new:
                    schedule = self._schedule(item, walked, state, schedule.due)
                    changed = max(changed, new[-1][0] // 1000)
                place = (card.number, note.number, deck, card.ord, changed)
                cards.append((*place, *schedule))
        return {name: number for name, number in numbers.items() if number > DECK_ID}

    def _answered(self) -> dict[str, tuple[Sequence[RevlogRow], MemoryState]]:
        """Return the rows and state of items from Anki that have other reviews than came thence."""
        logs = {
            each.item_guid: found
            for each in self._peers.every_card
            if (found := self._logs.get(each.item_guid))
            and len(effective_reviews(found)) != each.answers
        }
        return dict(zip(logs, walk(logs, self._scheduler, self._starts), strict=True))

    def _schedule(
        self, item: ItemRecord, rows: Sequence[RevlogRow], state: MemoryState, place: int
    ) -> Schedule:
        return card_row(
            state,
            rows,
            self._starts.get(item.guid),
            first_day=self._first_day,
            position=place,
            suspended=item.suspended,
            buried=item.buried_until is not None and item.buried_until > self._last_day,
            flags=flag_of(item),
            settings=self._scheduler.settings,
            offset=self._offset,
        )

    def _notes(self) -> dict[str, _Note]:
        """Notes by guid; the gaps of one sentence are cards of one note.

        A card whose gap is not in its text, as in a formula, is a note with front and back.
        """
        notes: dict[str, _Note] = {}
        groups: dict[str, set[int]] = {}
        without_gap: list[tuple[str, _Note]] = []
        for name, item, card in self._named():
            below = self._below(item, card)
            tags = {f"{OUR_TAG}{item.concept}"}
            if name not in notes:
                notes[name] = _Note(*_fields(card, below), tags, [])
                groups[name] = {int(each) for each in _GAP.findall(notes[name].fields[0])}
            note = notes[name]
            if note.notetype == CLOZE_ID and _ord(item) + 1 not in groups[name]:
                note = _Note(BASIC_ID, [html(card.front), html(card.back) + below], tags, [])
                without_gap.append((item.guid, note))
            note.add(item)
        held = {name: note for name, note in notes.items() if note.items}
        for guid, note in without_gap:
            held[guid if guid not in held else f"{guid}:{_ord(note.items[0]) + 1}"] = note
        return held

    def _named(self) -> Iterator[tuple[str, ItemRecord, CardRecord]]:
        """Yield the cards that Anki can have, each with the guid of its note.

        Siblings whose texts differ, as those of nested clozes do, are notes of their own.
        """
        texts: defaultdict[str | None, set[tuple[str, str]]] = defaultdict(set)
        for _, card in self._cards:
            texts[card.sibling_group].add((card.front, card.back))
        for item, card in self._cards:
            kind, group = kind_named(card.kind), card.sibling_group
            is_shared = kind.gaps and len(texts[group]) == 1
            if not kind.drawn:
                yield (group or item.guid if is_shared else item.guid), item, card

    def _below(self, item: ItemRecord, card: CardRecord) -> str:
        """Return what is shown below an answer, as HTML: corrections, and further reading."""
        source = self._sources.get(item.source or "", "")
        is_own = item.pack is None and self._errata
        corrections = correct_answer(card.back, source, self._errata) if is_own else ()
        shown = "".join(f"\n<hr>\n{html(each.markdown)}" for each in corrections)
        return shown + _read_on(item)

    def _write_configuration(
        self, connection: sqlite3.Connection, peers: Mapping[str, int], *, with_own: bool
    ) -> None:
        """Write the count of days, the time zone, the scheduler, and the options of our deck.

        The decks of what came from Anki have its default options, so those that there are stay.
        """
        begin = day_start(self._first_day, self._offset, self._rollover)
        found = connection.execute("SELECT conf, decks, dconf, models FROM col").fetchone()
        conf, decks, options, models = (json.loads(text) for text in found)
        conf |= {
            "schedVer": 2,
            "sched2021": True,
            "fsrs": True,
            "rollover": self._rollover,
            "creationOffset": -self._offset,
            "localOffset": -self._offset,
        }
        ours = decks.pop(str(DECK_ID))
        decks |= {str(number): {**ours, "id": number, "name": n} for n, number in peers.items()}
        if with_own:
            decks[str(DECK_ID)] = {**ours, "conf": DECK_ID}
        options[str(DECK_ID)] = self._deck_options(options["1"])
        ours_too = {str(BASIC_ID), str(CLOZE_ID)} & models.keys()
        models |= {
            each.number: {"did": None, "vers": [], "tags": [], "req": []}
            | json.loads(each.definition)
            for each in self._peers.types
            if each.number not in ours_too
        }
        changed = milliseconds_of(self._changed)
        connection.execute(
            "UPDATE col SET crt = ?, mod = ?, scm = ?, conf = ?, decks = ?, dconf = ?, models = ?",
            (
                *(int(begin.timestamp()), changed, changed),
                *(json.dumps(each) for each in (conf, decks, options, models)),
            ),
        )

    def _deck_options(self, default: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of our deck: the learner's parameters, retention, steps and limits."""
        settings = self._scheduler.settings
        return {
            **default,
            "id": DECK_ID,
            "name": DECK,
            "mod": int(self._changed.timestamp()),
            "new": {**default["new"], "delays": _minutes(settings.learning_steps)},
            "lapse": {
                **default["lapse"],
                "delays": _minutes(settings.relearning_steps),
                "leechFails": settings.leech_lapses,
                "leechAction": 1,  # a tag: here leeches are shown, not suspended
            },
            "rev": {**default["rev"], "maxIvl": settings.maximum_interval},
            "desiredRetention": settings.desired_retention,
            "fsrsParams6": list(settings.parameters),
        }


def _own_cards(snapshot: Snapshot) -> list[tuple[ItemRecord, CardRecord]]:
    """Return the cards that did not come from Anki, with their texts."""
    returning = {each.item_guid for each in snapshot.anki_cards}
    return [
        (each, each.card)
        for each in snapshot.items
        if each.card and not each.retired and each.guid not in returning
    ]


def _of_card(card: int, rows: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Yield rows of the log with the number of their card behind their milliseconds."""
    return ((row[0], card, *row[1:]) for row in rows)


def _note_columns(note: _Note) -> tuple[str, str, str, int]:
    """Return a note's tags, fields, sort field, and checksum, as Anki has them."""
    fields = "\x1f".join(note.fields)
    return f" {' '.join(tags_of(note.tags))} ", fields, *_sorted_by(fields)


def _sorted_by(fields: str) -> tuple[str, int]:
    """Return the sort field and checksum of a note's fields."""
    first = _TAG.sub("", fields.partition("\x1f")[0])
    return first, int(sha1(first.encode(), usedforsecurity=False).hexdigest()[:8], 16)


def _minutes(steps: Iterable[timedelta]) -> list[float]:
    return [step.total_seconds() / 60 for step in steps]


def _write_log(connection: sqlite3.Connection, rows: list[tuple[int, ...]]) -> None:
    """Write rows, each its milliseconds and its card first, by time.

    Two rows of one millisecond are told apart by the next.
    """
    rows.sort(key=itemgetter(0, 1))
    last = 0
    for place, row in enumerate(rows):
        if row[0] <= last:
            rows[place] = (last + 1, *row[1:])
        last = rows[place][0]
    connection.executemany("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)", rows)


def _read_on(item: ItemRecord) -> str:
    """Return links for further reading, as HTML below the answer."""
    links = "\n".join(f"<li>{link(address, text)}</li>" for text, address in links_of(item))
    return f"\n<p><strong>Learn more</strong></p>\n<ul>\n{links}\n</ul>" if links else ""


def _fields(card: CardRecord, below: str) -> tuple[int, list[str]]:
    """Return the note type of a card and its fields; `below` is HTML for after the answer.

    Anki looks for gaps in the text alone, and shows it with the question: a back without gaps,
    which would give the answer away, is extra.
    """
    if not kind_named(card.kind).gaps:
        answer = f"**{card.answer}**\n\n" if card.answer is not None else ""
        return BASIC_ID, [html(card.front), html(answer + card.back) + below]
    if deletions(card.back):
        return CLOZE_ID, [html(f"{card.front}\n\n{card.back}", cloze=True), below]
    return CLOZE_ID, [html(card.front, cloze=True), html(card.back) + below]


def _ord(item: ItemRecord) -> int:
    """Return the number of a card within its note, from 0."""
    if item.card is None or not kind_named(item.card.kind).gaps:
        return 0
    group = item.card.extra.get("group", 1)
    return group - 1 if isinstance(group, int) else 0
