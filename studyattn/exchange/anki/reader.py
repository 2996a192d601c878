"""An Anki package → Snapshot: its notes as cards, with their review history.

A package is a source, a deck a concept. Notes of a cloze type become cloze cards, all others front
and back, with the fields that their templates show. A card in a filtered deck belongs to the deck
that it came from. What has no place here is listed as not taken (`not_taken`). What was remembered
is worked out anew from the log, which gives Anki's own stability and difficulty.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import sha1
from itertools import repeat
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote
from uuid import NAMESPACE_URL

import msgspec

from studyattn.errors import DocumentError
from studyattn.exchange.anki.collection import Collection
from studyattn.exchange.anki.faces import Face, Faces, worded
from studyattn.exchange.anki.fields import markdown, named
from studyattn.exchange.anki.known import without_known
from studyattn.exchange.anki.media import Medium, PackedMedium, keep_media
from studyattn.exchange.anki.not_taken import NotTaken, Reason
from studyattn.exchange.anki.occlusion import OCCLUSION, Covers
from studyattn.exchange.anki.package import opened_collection
from studyattn.exchange.anki.peer import (
    BASIC_ID,
    CLOZE_ID,
    FLAG,
    LOG,
    MOVED_ON,
    OUR_TAG,
    SUSPENDED,
    Tags,
    read_tags,
)
from studyattn.exchange.anki.revlog import (
    RevlogRow,
    Schedule,
    Start,
    begins_with_learning,
    memory_start,
)
from studyattn.exchange.anki.templates import NoteType
from studyattn.exchange.format import Incoming
from studyattn.exchange.words import digest, slug_of
from studyattn.extras import is_installed
from studyattn.store.log_values import LogRow, read_stored_day
from studyattn.store.snapshot import (
    AnkiCardRecord,
    AnkiNoteRecord,
    AnkiTypeRecord,
    CardRecord,
    ConceptRecord,
    ItemRecord,
    MemoryStartRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.store.tags import FLAGS, tags_of
from studyattn.text.media import PREFIX, picture_type

_OURS: Final = frozenset({BASIC_ID, CLOZE_ID})
_LEAST_TEXTS: Final = 64 * 1024 * 1024
_TIMES_TEXTS: Final = 16
"""Characters that all cards may have: so many, or so many times the collection's bytes. The cards
of one note repeat its text.
"""
_MILLENNIA: Final = 9000 * 31_557_600_000
_GUID_DIGITS: Final = 16
_BURIED: Final = frozenset({-2, -3})
_LONGEST_INTERVAL: Final = 36_500.0
_LARGEST_EASE: Final = 100_000.0
_MOST_SECONDS: Final = 1e9
"""What a record may hold; Anki itself lets an interval have 99,999 days."""
_NOTES: Final = digest("anki")[:_GUID_DIGITS]
"""The beginning of the name of each card from Anki, where a note has one name in all packages."""
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_NAMESPACE: Final = NAMESPACE_URL.bytes
_ENCODE: Final = msgspec.json.encode


class Package(NamedTuple):
    """The contents of a package."""

    snapshot: Snapshot
    log: Sequence[LogRow]
    """Its reviews."""
    media: tuple[Medium, ...]
    """They stay in the package until `keep_media` takes them out."""
    not_taken: tuple[NotTaken, ...]
    guids: Mapping[int, str]
    """The items that Anki's cards became, by the cards' numbers."""
    packed: tuple[PackedMedium, ...] = ()
    """Those of the media that cards name, for `keep_media`."""


def read(path: Path, at: datetime) -> Incoming:
    """Read a package. Raises DocumentError."""
    package = read_package(path, at)
    keep = partial(keep_media, path, package.packed)
    return Incoming(
        package.snapshot,
        log=package.log,
        moved_on=MOVED_ON,
        media=package.media,
        not_taken=package.not_taken,
        keep_media=keep,
        fit=without_known,
    )


class _AnkiNote(NamedTuple):
    """A note of the collection."""

    guid: str
    notetype: int
    fields: tuple[str, ...]
    tags: Tags
    changed: int
    """Seconds."""
    siblings: str
    """The beginning of the names of its items."""

    @property
    def label(self) -> str:
        """The beginning of the first field with words, in which a person knows the note again."""
        fields = (each for each in self.fields if OCCLUSION not in each)
        told = [" ".join(markdown(each).split()) for each in fields]
        told.sort(key=lambda each: each.startswith("!["))  # words before a picture
        words = next(filter(None, told), self.guid)
        return words if len(words) <= _LABEL else f"{words[: _LABEL - 1]}…"


class _AnkiCard(NamedTuple):
    """A card of the collection."""

    note: _AnkiNote
    ord: int
    deck: int
    changed: int
    """Seconds."""
    schedule: Schedule

    @property
    def flag(self) -> int:
        return self.schedule.flags & FLAG


def read_package(path: Path, at: datetime) -> Package:
    """Read what a package holds.

    Raises DocumentError for a file that is no package, or a broken or hostile one.
    """
    with opened_collection(path) as (connection, media):
        try:
            reader = _CollectionReader(Collection(connection, path), media, path, at)
            snapshot = reader.snapshot()
            kept = reader.kept
            listed = tuple(
                Medium(each.name, each.size, each.kept_name if each.kept_name in kept else "")
                for each in media
            )
            return Package(
                snapshot,
                reader.log,
                listed,
                tuple(reader.not_taken),
                reader.guids,
                tuple(kept.values()),
            )
        except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as e:
            raise DocumentError(
                f"its collection is not in Anki's format ({type(e).__name__}: {e})",
                where=str(path),
                advice="Export it again from Anki",
            ) from e


class _Answers(NamedTuple):
    """The answers of a collection in columns, which take far less time and room than rows."""

    guids: list[str]
    eases: list[int]
    at: list[int]
    """Milliseconds, as are those of `times`."""
    times: list[int]

    def add(self, guid: str, rows: Sequence[tuple[int, ...]]) -> None:
        """Add answers of an item."""
        if rows:
            at, eases, _, _, _, times, _ = zip(*rows, strict=True)
            self.guids.extend([guid] * len(rows))
            self.eases.extend(eases)
            self.at.extend(at)
            self.times.extend(times)

    def uuids(self) -> list[bytes]:
        """Return what `uuid.uuid5` gives for names in the namespace of addresses, far faster."""
        digests = [
            sha1(_NAMESPACE + f"anki:{guid} {at} {ease}".encode()).digest()[:16]  # noqa: S324 - a name
            for guid, at, ease in zip(self.guids, self.at, self.eases, strict=True)
        ]
        joined = bytearray().join(digests)
        for place, kept, mark in ((6, 0x0F, 0x50), (8, 0x3F, 0x80)):  # version and variant
            marked = bytes(byte & kept | mark for byte in range(256))
            joined[place::16] = joined[place::16].translate(marked)
        made = bytes(joined)
        return [made[place : place + 16] for place in range(0, len(made), 16)]


class _CollectionReader:
    """One collection as a snapshot."""

    def __init__(
        self, collection: Collection, media: Sequence[PackedMedium], path: Path, at: datetime
    ) -> None:
        self._collection = collection
        self._path = path
        self._at = at
        self.guids: dict[int, str] = {}
        self.log: list[LogRow] = []
        self.not_taken: list[NotTaken] = []
        self.kept: dict[str, PackedMedium] = {}
        """The media that notes name, by their names in the home."""
        self._media = {each.name: each for each in media if each.digest}
        self._missing: list[str] = []
        self._definitions = collection.note_types()
        self._note_types = {number: NoteType.of(each) for number, each in self._definitions.items()}
        self._decks = collection.deck_names()
        self._calendar = collection.calendar()
        self._first_day = collection.first_day()
        self._shown: _AnkiNote | None = None
        self._draws = is_installed("PIL")
        self._concepts: dict[str, ConceptRecord] = {}
        self._slugs: dict[int, str] = {}
        self._stem = path.stem
        self._source = digest("anki", self._stem)[:_GUID_DIGITS]

    def snapshot(self) -> Snapshot:
        items: dict[str, ItemRecord] = {}
        cards: list[AnkiCardRecord] = []
        starts: list[MemoryStartRecord] = []
        unburied = self._moment(self._collection.last_used())[2] + timedelta(days=1)
        rest = max(_LEAST_TEXTS, _TIMES_TEXTS * self._collection.size())
        records: dict[str, AnkiNoteRecord] = {}
        notes = dict(self._notes(records))
        logs = self._collection.logs()
        answers = _Answers([], [], [], [])
        for number, card in self._cards(notes):
            note = card.note
            text = self._text(card)
            is_first = isinstance(text, Face) and text.is_first
            guid = note.siblings if is_first else f"{note.siblings}:{card.ord + 1}"
            log = logs.get(number, "[]")
            rows, start = _answers_of(log, card)
            wording = worded(text) if isinstance(text, Face) else ""
            schedule = card.schedule
            if schedule.is_due_by_day:
                schedule = schedule._replace(due=schedule.due + self._first_day)
            deck = self._decks.get(card.deck, self._stem)
            changed = max(card.changed, note.changed)  # the wording is the note's
            cards.append(
                AnkiCardRecord(
                    *(guid, note.guid, card.ord, number, deck, changed, wording),
                    *(_ENCODE(schedule).decode(), log, len(rows)),
                )
            )
            if not isinstance(text, Face):
                self._leave(note, text, f"card {card.ord + 1}")
                continue
            rest -= len(text.front) + len(text.back)
            if rest < 0:
                raise ValueError("its cards have far more text than its notes")
            place = self._concept(card), len(items)
            items[guid] = self._item(guid, card, text, wording, place, unburied)
            self.guids[number] = guid
            starts += self._start(guid, start)
            answers.add(guid, rows)
        self.log = self._log(answers)
        source = SourceRecord(
            self._source, "anki", self._path.stem, str(self._path.absolute()), "", "", {}, self._at
        )
        return Snapshot(
            sources=(source,),
            concepts=tuple(self._concepts.values()),
            items=tuple(items.values()),
            starts=tuple(starts),
            anki_types=tuple(self._types({each.notetype for each in records.values()})),
            anki_notes=tuple(records.values()),
            anki_cards=tuple(cards),
        ).ordered()

    def _text(self, card: _AnkiCard) -> Face | Reason:
        """Return the text of a card, and list what is missing for it."""
        note = card.note
        if self._shown is not note:  # the cards of a note come one after another
            self._shown, self._faces = note, Faces(self._address, self._cover)
        self._missing = []
        text = self._faces.of(self._note_types[note.notetype], note.fields, card.ord)
        for name in dict.fromkeys(self._missing):
            self._leave(note, Reason.FILE, name)
        return text

    def _types(self, used: Container[str]) -> Iterator[AnkiTypeRecord]:
        for number, each in self._definitions.items():
            if str(number) in used:
                changed = _seconds(each.get("mod", 0))
                yield AnkiTypeRecord(str(number), changed, _ENCODE(each).decode())

    def _item(  # noqa: PLR0917 - what a card is
        self,
        guid: str,
        card: _AnkiCard,
        text: Face,
        wording: str,
        place: tuple[str, int],
        unburied: date,
    ) -> ItemRecord:
        """Return a card as an item; a buried one is so till `unburied`."""
        tags = card.note.tags
        flag = FLAGS[card.flag - 1 : card.flag] if card.flag else ()
        return ItemRecord(
            guid=guid,
            kind="card",
            concept=place[0],
            source=self._source,
            pack=None,
            position=place[1],
            created_at=self._at,
            suspended=card.schedule.queue == SUSPENDED,
            marked=tags.marked,
            retired=False,
            buried_until=unburied if card.schedule.queue in _BURIED else None,
            card=CardRecord(
                *(text.kind, text.front, text.back, text.answer, text.extra, wording, None),
                card.note.siblings,
            ),
            tags=tags_of([*tags.words, *flag]) if flag else tags.words,
        )

    def _notes(self, records: dict[str, AnkiNoteRecord]) -> Iterator[tuple[int, _AnkiNote]]:
        """Yield the notes by number, add their records, and list what no card of them shows."""
        read: dict[str, Tags] = {}
        for number, name, notetype, text, tags, changed in self._collection.notes():
            if tags not in read:
                read[tags] = read_tags(str(tags))
            guid, fields = str(name), str(text)
            siblings = guid if notetype in _OURS else f"{_NOTES}:{digest(guid)[:_GUID_DIGITS]}"
            note = _AnkiNote(
                guid,
                int(notetype),
                tuple(fields.split("\x1f")),
                read[tags],
                _seconds(changed),
                siblings,
            )
            there = {name: medium for name in named(fields) if (medium := self._medium(name))}
            self.kept |= {medium.kept_name: medium for medium in there.values()}
            media = {medium.name: medium.kept_name for medium in there.values()}
            records[guid] = AnkiNoteRecord(
                *(guid, number, str(notetype), note.changed, fields, str(tags), media)
            )
            for unseen in self._note_types[note.notetype].unseen(note.fields):
                self._leave(note, Reason.FIELD, unseen)
            yield number, note

    def _cards(self, notes: Mapping[int, _AnkiNote]) -> Iterator[tuple[int, _AnkiCard]]:
        """Yield the cards of the collection with their numbers."""
        for number, note, ord_, deck, changed, *columns in self._collection.cards():
            if note in notes:
                schedule = Schedule._make(columns)
                yield (
                    number,
                    _AnkiCard(notes[note], int(ord_), int(deck), _seconds(changed), schedule),
                )

    def _log(self, answers: _Answers) -> list[LogRow]:
        """Return answers as rows of the log, made a column at a time."""
        for each in answers.at and (min(answers.at), max(answers.at)):
            self._day(each)
        begun = self._calendar.offset - 60 * self._calendar.rollover_hour
        columns = (
            *(answers.uuids(), answers.guids, answers.eases, repeat(None)),
            *([1000 * each for each in answers.at], repeat(self._calendar.offset)),
            [(each // 60_000 + begun) // 1440 for each in answers.at],
            [0.0 if each < 0 else min(each / 1000, _MOST_SECONDS) for each in answers.times],
            repeat("import"),
        )
        return [*map(partial(tuple.__new__, LogRow), zip(*columns, strict=False))]

    def _leave(self, note: _AnkiNote, reason: Reason, what: str) -> None:
        self.not_taken.append(NotTaken(note.label, reason, what, note.guid))

    def _medium(self, name: str) -> PackedMedium | None:
        return self._media.get(name) or self._media.get(unquote(name))

    def _address(self, name: str) -> str:
        """Return the address of a picture or sound in the home; empty for one that is not there."""
        medium = self._medium(name)
        if medium is None:
            if "://" not in name and not name.startswith("data:"):
                self._missing.append(name)
            return ""
        return self._kept(medium)

    def _cover(self, address: str, covers: Covers) -> str:
        """Return the address of a picture with its covers; empty where it cannot be drawn on."""
        if not self._draws or picture_type(address) in {None, "image/svg+xml"}:
            return ""  # Pillow draws on pixels
        return self._kept(replace(self.kept[address.removeprefix(PREFIX)], covers=covers))

    def _kept(self, medium: PackedMedium) -> str:
        self.kept[medium.kept_name] = medium
        return PREFIX + medium.kept_name

    def _concept(self, card: _AnkiCard) -> str:
        """Return the slug of the concept that our own tag names, else of the deck's; add it."""
        if card.note.tags.ours:
            title = slug = card.note.tags.ours[0].removeprefix(OUR_TAG)
        elif card.deck in self._slugs:
            return self._slugs[card.deck]
        else:
            title = self._decks.get(card.deck, self._stem).replace("::", ": ")
            slug = self._slugs[card.deck] = slug_of(title)
        if slug not in self._concepts:
            self._concepts[slug] = ConceptRecord(
                *(slug, title, "unseen", "", None, self._source, None),
                *(len(self._concepts), False, False, ()),
            )
        return slug

    def _start(self, guid: str, start: Start | None) -> Iterator[MemoryStartRecord]:
        """Yield where the memory of an item begins, if that is not with its log."""
        if start is not None:
            interval = _at_most(start.interval, _LONGEST_INTERVAL)
            ease = _at_most(start.ease, _LARGEST_EASE)
            yield MemoryStartRecord(guid, *self._moment(start.at), interval, ease)

    def _moment(self, milliseconds: int) -> tuple[datetime, int, date]:
        """Return an instant with the learner's clock and day."""
        day = read_stored_day(self._day(milliseconds))
        return _EPOCH + timedelta(milliseconds=milliseconds), self._calendar.offset, day

    def _day(self, milliseconds: int) -> int:
        """Return the learner day of an instant, in days since 1970."""
        if not 0 < milliseconds < _MILLENNIA:
            raise ValueError(f"a review at {milliseconds}")
        return self._calendar.day_of(milliseconds // 60_000)


def _answers_of(log: str, card: _AnkiCard) -> tuple[Sequence[tuple[int, ...]], Start | None]:
    """Return the answers of a log that count, and where the memory begins if not with them."""
    rows = LOG.decode(log)
    if begins_with_learning(rows):
        return rows, None
    every = [*map(RevlogRow._make, rows)]
    counted = [row for row in every if row.counts]
    return counted, memory_start(every, card.schedule, card.changed)


def _at_most(number: float | None, most: float) -> float | None:
    return None if number is None else min(number, most)


def _seconds(changed: Any) -> int:
    """Return when a row was changed, in seconds; some programs write milliseconds, unlike Anki."""
    return int(changed) if int(changed) < _MILLENNIA // 1000 else int(changed) // 1000


_LABEL: Final = 60  # characters
