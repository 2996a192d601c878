"""An Anki package → Snapshot: its notes as cards, with their review history.

A package is a source, a deck a concept. Notes of a cloze type become cloze cards, all others front
and back, with the fields that their templates show. A card in a filtered deck belongs to the deck
that it came from. What has no place here is listed as not taken (`not_taken`). What was remembered
is worked out anew from the log, which gives Anki's own stability and difficulty.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha1
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote
from uuid import NAMESPACE_URL

from studyattn.errors import DocumentError
from studyattn.exchange.anki.clozes import read_clozes
from studyattn.exchange.anki.collection import Collection
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.anki.markup import COLONS
from studyattn.exchange.anki.media import Medium, PackedMedium
from studyattn.exchange.anki.not_taken import NotTaken, Reason
from studyattn.exchange.anki.package import opened_collection
from studyattn.exchange.anki.revlog import CardState, RevlogRow, memory_start
from studyattn.exchange.anki.templates import OCCLUSION, NoteType
from studyattn.exchange.anki.writer import BASIC_ID, CLOZE_ID
from studyattn.exchange.documents.matching import digest, slug_of
from studyattn.memory import learner_day
from studyattn.packs.card_kinds import BASIC, CLOZE, TYPED
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    MemoryStartRecord,
    RatingName,
    ReviewRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.store.tags import FLAGS, tags_of
from studyattn.text.media import PREFIX

_RATINGS: Final[Mapping[int, RatingName]] = {1: "again", 2: "hard", 3: "good", 4: "easy"}
_OURS: Final = frozenset({BASIC_ID, CLOZE_ID})
_LEAST_TEXTS: Final = 64 * 1024 * 1024
_TIMES_TEXTS: Final = 16
"""Characters that all cards may have: so many, or so many times the collection's bytes. The cards
of one note repeat its text.
"""
_MILLENNIA: Final = 9000 * 31_557_600_000
_GUID_DIGITS: Final = 16
_NEW_CARD: Final = 0  # its type
_SUSPENDED: Final = -1  # a card's queue
_BURIED: Final = frozenset({-2, -3})
_FLAG: Final = 7  # the bits of a card's flags that hold its colour
_MARKED: Final = "marked"  # the tag that Anki's mark is
_LONGEST_INTERVAL: Final = 36_500.0
_LARGEST_EASE: Final = 100_000.0
_MOST_SECONDS: Final = 1e9
"""What a record may hold; Anki itself lets an interval have 99,999 days."""
_OUR_TAG: Final = "studyattn::"
_NOTES: Final = digest("anki")[:_GUID_DIGITS]
"""The beginning of the name of each card from Anki, where a note has one name in all packages."""
_COLONS: Final = "\ue000"  # for two colons in a gap, while hints are looked for
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_NAMESPACE: Final = NAMESPACE_URL.bytes


class Labels(NamedTuple):
    """The tags, flag and mark of a card, and when they were last changed in Anki, at the latest."""

    words: tuple[str, ...]
    flag: tuple[str, ...]
    """None or one."""
    marked: bool
    note_changed: datetime
    """Tags and mark are the note's."""
    card_changed: datetime


class Package(NamedTuple):
    """The contents of a package."""

    snapshot: Snapshot
    media: tuple[Medium, ...]
    """They stay in the package until `keep_media` takes them out."""
    not_taken: tuple[NotTaken, ...]
    guids: Mapping[int, str]
    """The items that Anki's cards became, by the cards' numbers."""
    packed: tuple[PackedMedium, ...] = ()
    """Those of the media that cards name, for `keep_media`."""
    labels: Mapping[str, Labels] = {}
    """By item."""


class _Tags(NamedTuple):
    """The tags of a note, which many notes share."""

    words: tuple[str, ...]
    """The learner's."""
    marked: bool
    concept: str
    """The slug that our own tag names; empty for none."""


class _AnkiCard(NamedTuple):
    """A card of the collection, with what it needs of its note."""

    deck: int
    ord: int
    queue: int
    flag: int
    note: str
    notetype: int
    fields: tuple[str, ...]
    tags: _Tags
    note_changed: int
    """Seconds."""
    state: CardState

    @property
    def label(self) -> str:
        """The beginning of the note's first field with words, in which a person knows it again."""
        told = (markdown(each) for each in self.fields if OCCLUSION not in each)
        words = next((" ".join(each.split()) for each in told if each), self.note)
        return words if len(words) <= _LABEL else f"{words[: _LABEL - 1]}…"

    @property
    def siblings(self) -> str:
        """The name of the note that a card is of."""
        ours = self.notetype in _OURS
        return self.note if ours else f"{_NOTES}:{digest(self.note)[:_GUID_DIGITS]}"


class _Text(NamedTuple):
    """The two sides of a card, as Markdown."""

    kind: str
    front: str
    back: str
    extra: dict[str, Any]
    is_first: bool
    """It is the first card of its note."""
    answer: str | None = None
    """The text that a learner types."""


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
                Medium(each.name, each.size, each.kept_name if each.name in kept else "")
                for each in media
            )
            return Package(
                snapshot,
                listed,
                tuple(reader.not_taken),
                reader.guids,
                tuple(kept.values()),
                reader.labels,
            )
        except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as e:
            raise DocumentError(
                f"its collection is not in Anki's format ({type(e).__name__}: {e})",
                where=str(path),
                advice="Export it again from Anki",
            ) from e


class _CollectionReader:
    """One collection as a snapshot."""

    def __init__(
        self, collection: Collection, media: Sequence[PackedMedium], path: Path, at: datetime
    ) -> None:
        self._collection = collection
        self._path = path
        self._at = at
        self.guids: dict[int, str] = {}
        self.labels: dict[str, Labels] = {}
        self.not_taken: list[NotTaken] = []
        self.kept: dict[str, PackedMedium] = {}
        """The media that cards name, by their names in the package."""
        self._media = {each.name: each for each in media if each.digest}
        self._missing: list[str] = []
        self._note_types = collection.note_types()
        self._decks = collection.deck_names()
        self._calendar = collection.calendar()
        self._clozes = "", read_clozes("")
        self._slugs: dict[int, tuple[str, str]] = {}
        self._days: dict[int, date] = {}
        self._source = digest("anki", path.stem)[:_GUID_DIGITS]

    def snapshot(self) -> Snapshot:
        concepts: dict[str, ConceptRecord] = {}
        items: dict[str, ItemRecord] = {}
        states: dict[int, tuple[str, CardState]] = {}
        noted: set[str] = set()
        unburied = self._moment(self._collection.last_used())[2] + timedelta(days=1)
        rest = max(_LEAST_TEXTS, _TIMES_TEXTS * self._collection.size())
        for number, card in self._cards():
            note_type = self._note_types[card.notetype]
            if card.note not in noted:
                noted.add(card.note)
                for name in note_type.unseen(card.fields):
                    self._leave(card, Reason.FIELD, name)
            self._missing = []
            text = self._text(card, note_type)
            for name in dict.fromkeys(self._missing):
                self._leave(card, Reason.FILE, name)
            if text is None:
                continue
            rest -= len(text.front) + len(text.back)
            if rest < 0:
                raise ValueError("its cards have far more text than its notes")
            slug, title = self._concept(card)
            if slug not in concepts:
                concepts[slug] = ConceptRecord(
                    *(slug, title, "unseen", "", None, self._source, None),
                    *(len(concepts), False, False, ()),
                )
            item = self._item(card, text, slug, len(items), unburied)
            items[item.guid] = item
            self.guids[number] = item.guid
            states[number] = (item.guid, card.state)
        reviews, starts = self._history(states)
        source = SourceRecord(
            self._source, "anki", self._path.stem, str(self._path.absolute()), "", "", {}, self._at
        )
        return Snapshot(
            sources=(source,),
            concepts=tuple(concepts.values()),
            items=tuple(items.values()),
            reviews=tuple(reviews),
            starts=tuple(starts),
        ).ordered()

    def _item(
        self, card: _AnkiCard, text: _Text, concept: str, position: int, unburied: date
    ) -> ItemRecord:
        """Return a card as an item, and remember its labels; a buried one is so till `unburied`."""
        labels = _labels(card)
        siblings = card.siblings
        guid = siblings if text.is_first else f"{siblings}:{card.ord + 1}"
        self.labels[guid] = labels
        return ItemRecord(
            guid=guid,
            kind="card",
            concept=concept,
            source=self._source,
            pack=None,
            position=position,
            created_at=self._at,
            suspended=card.queue == _SUSPENDED,
            marked=labels.marked,
            retired=False,
            buried_until=unburied if card.queue in _BURIED else None,
            card=CardRecord(
                text.kind,
                text.front,
                text.back,
                text.answer,
                text.extra,
                digest(text.front, text.back, text.answer or ""),
                None,
                siblings,
            ),
            tags=tags_of([*labels.words, *labels.flag]) if labels.flag else labels.words,
        )

    def _cards(self) -> Iterator[tuple[int, _AnkiCard]]:
        """Yield the cards of the collection with their numbers."""
        read: dict[str, _Tags] = {}
        for row in self._collection.cards():
            number, deck, ord_, queue, flags, guid, notetype, fields, tags, changed, *state = row
            if tags not in read:
                read[tags] = _tags(str(tags).split())
            yield (
                number,
                _AnkiCard(
                    deck=deck,
                    ord=int(ord_),
                    queue=queue,
                    flag=int(flags) & _FLAG,
                    note=str(guid),
                    notetype=int(notetype),
                    fields=tuple(str(fields).split("\x1f")),
                    tags=read[tags],
                    note_changed=_seconds(changed),
                    state=_card_state(state),
                ),
            )

    def _leave(self, card: _AnkiCard, reason: Reason, what: str) -> None:
        self.not_taken.append(NotTaken(card.label, reason, what, card.note))

    def _address(self, name: str) -> str:
        """Return the address of a picture or sound in the home; empty for one that is not there."""
        medium = self._media.get(name) or self._media.get(unquote(name))
        if medium is None:
            if "://" not in name and not name.startswith("data:"):
                self._missing.append(name)
            return ""
        self.kept[medium.name] = medium
        return PREFIX + medium.kept_name

    def _markdown(self, html: str) -> str:
        return markdown(html, self._address)

    def _concept(self, card: _AnkiCard) -> tuple[str, str]:
        """Return slug and title of the concept that our own tag names, else of the deck's."""
        if card.tags.concept:
            return (card.tags.concept,) * 2
        if card.deck not in self._slugs:
            title = self._decks.get(card.deck, self._path.stem)
            self._slugs[card.deck] = slug_of(title), title
        return self._slugs[card.deck]

    def _text(self, card: _AnkiCard, note_type: NoteType) -> _Text | None:
        """Return the two sides of a card; None, and listed, for one that cannot be asked."""
        template = note_type.template(card.ord)
        if template is None:
            self._leave(card, Reason.NO_QUESTION, f"card {card.ord + 1}")
            return None
        fields = dict(zip(note_type.fields, card.fields, strict=False))
        question = template.front(fields)
        if note_type.is_cloze:
            return self._cloze(card, question, template.back(fields))
        front = self._markdown(question)
        if not front:
            self._leave(card, Reason.NO_QUESTION, f"card {card.ord + 1}")
            return None
        typed = template.typed(fields)
        back = self._markdown(template.back(fields, typed=bool(typed)))
        if typed:
            return _Text(TYPED.name, front, back, {}, card.ord == 0, typed)
        return _Text(BASIC.name, front, back, {}, card.ord == 0)

    def _cloze(self, card: _AnkiCard, question: str, answer: str) -> _Text | None:
        group = card.ord + 1
        if OCCLUSION in question:
            self._leave(card, Reason.OCCLUSION, f"card {group}")
            return None
        if question != self._clozes[0]:  # the cards of a note come one after another
            self._clozes = question, read_clozes(self._markdown(question.replace(COLONS, _COLONS)))
        clozes = self._clozes[1]
        if group not in clozes.groups:
            self._leave(card, Reason.NO_GAP, f"card {group}")
            return None
        is_first = group == clozes.groups[0]
        below = self._markdown(answer)
        text = clozes.gapped(group)
        if text is not None:
            extra = dict(CLOZE.group_extra(group))
            return _Text(CLOZE.name, text.replace(_COLONS, "::"), below, extra, is_first)
        front, back = (each.replace(_COLONS, "::") for each in clozes.sides(group))
        return _Text(BASIC.name, front, f"{back}\n\n{below}".strip(), {}, is_first)

    def _history(
        self, cards: Mapping[int, tuple[str, CardState]]
    ) -> tuple[list[ReviewRecord], list[MemoryStartRecord]]:
        """Return the reviews of these cards, and where the memory of some of them begins."""
        rows: defaultdict[int, list[RevlogRow]] = defaultdict(list)
        for card, *columns in self._collection.log():
            if card in cards:
                rows[card].append(RevlogRow._make(map(int, columns)))
        reviews: list[ReviewRecord] = []
        starts: list[MemoryStartRecord] = []
        for number, (guid, state) in cards.items():
            log = rows[number]
            reviews += [self._review(guid, row) for row in log if row.counts]
            start = memory_start(log, state)
            if start is not None:
                moment = self._moment(start.at)
                interval = _at_most(start.interval, _LONGEST_INTERVAL)
                ease = _at_most(start.ease, _LARGEST_EASE)
                starts.append(MemoryStartRecord(guid, *moment, interval, ease))
        return reviews, starts

    def _moment(self, milliseconds: int) -> tuple[datetime, int, date]:
        """Return an instant with the learner's clock and day."""
        if not 0 < milliseconds < _MILLENNIA:
            raise ValueError(f"a review at {milliseconds}")
        at = _EPOCH + timedelta(milliseconds=milliseconds)
        offset = self._calendar.offset
        minutes = milliseconds // 60_000 + offset - 60 * self._calendar.rollover_hour
        number = minutes // 1440  # one number for a learner day
        day = self._days.get(number)
        if day is None:
            day = self._days[number] = learner_day(at, offset, self._calendar.rollover_hour)
        return at, offset, day

    def _review(self, guid: str, row: RevlogRow) -> ReviewRecord:
        at, offset, day = self._moment(row.id)
        uuid = _uuid(f"anki:{guid} {row.id} {row.ease}")
        rating, seconds = _RATINGS[row.ease], min(max(0, row.time) / 1000, _MOST_SECONDS)
        return ReviewRecord(uuid, guid, rating, None, at, offset, day, seconds, "import")


def _at_most(number: float | None, most: float) -> float | None:
    return None if number is None else min(number, most)


def _uuid(name: str) -> str:
    """Return what `uuid.uuid5` gives in the namespace of addresses, four times as fast."""
    digits = sha1(_NAMESPACE + name.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def _tags(words: Sequence[str]) -> _Tags:
    ours = [each.removeprefix(_OUR_TAG) for each in words if each.startswith(_OUR_TAG)]
    others = [each for each in words if each.lower() != _MARKED and not each.startswith(_OUR_TAG)]
    return _Tags(tags_of(others), _MARKED in map(str.lower, words), ours[0] if ours else "")


def _labels(card: _AnkiCard) -> Labels:
    """Return the learner's tags of a card, its flag and its mark."""
    return Labels(
        card.tags.words,
        FLAGS[card.flag - 1 : card.flag] if card.flag else (),
        card.tags.marked,
        _EPOCH + timedelta(seconds=card.note_changed),
        _EPOCH + timedelta(seconds=card.state.changed),
    )


def _card_state(columns: Sequence[Any]) -> CardState:
    """Return what a card's own row says of its memory."""
    kind, interval, factor, reps, changed, data = columns
    try:
        told = {} if data in {"", "{}"} else json.loads(data or "{}")
    except ValueError:  # what add-ons may have written
        told = {}
    if not isinstance(told, dict):
        told = {}
    last, stability, difficulty = (_number(told.get(key)) for key in ("lrt", "s", "d"))
    return CardState(
        new=kind == _NEW_CARD,
        interval=int(interval),
        factor=int(factor),
        reps=int(reps),
        last=int(last or _seconds(changed)) * 1000,
        changed=_seconds(changed),
        stability=stability,
        difficulty=difficulty,
    )


def _seconds(changed: Any) -> int:
    """Return when a row was changed, in seconds; some programs write milliseconds, unlike Anki."""
    return int(changed) if int(changed) < _MILLENNIA // 1000 else int(changed) // 1000


def _number(value: object) -> float | None:
    """Return a positive number; None for everything else."""
    known = isinstance(value, int | float) and math.isfinite(value) and value > 0
    return float(value) if known else None  # type: ignore[arg-type]  # known to be one


_LABEL: Final = 60  # characters
