"""An Anki package → Snapshot: its notes as cards, with their review history.

A package is a source, a deck a concept. Notes of a cloze type become cloze cards, all others front
and back: each card of a note asks with another field first, as Basic (and reversed) does. A card in
a filtered deck belongs to the deck that it came from. What has no place here is listed as not taken
(`nottaken`). What was remembered is worked out anew from the log, which gives Anki's own stability
and difficulty.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn
from uuid import NAMESPACE_URL, uuid5

from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.anki.clozes import Clozes, read_clozes
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken, Reason
from studyattn.exchange.anki.package import opened_collection
from studyattn.exchange.anki.revlog import CardState, RevlogRow, memory_start
from studyattn.exchange.anki.writer import BASIC_ID, CLOZE_ID
from studyattn.exchange.documents.matching import digest, slug_of
from studyattn.memory import learner_day
from studyattn.packs.card_kinds import BASIC, CLOZE
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

_RATINGS: Final[Mapping[int, RatingName]] = {1: "again", 2: "hard", 3: "good", 4: "easy"}
_OURS: Final = frozenset({BASIC_ID, CLOZE_ID})
_MILLENNIA: Final = 9000 * 31_557_600_000
_MOVED_ON: Final = 60_000  # milliseconds
_GUID_DIGITS: Final = 16
_NEW_CARD: Final = 0  # its type
_SUSPENDED: Final = -1  # a card's queue
_BURIED: Final = frozenset({-2, -3})
_FLAG: Final = 7  # the bits of a card's flags that hold its colour
_MARKED: Final = "marked"  # the tag that Anki's mark is
_OUR_TAG: Final = "studyattn::"


class Package(NamedTuple):
    """The contents of a package."""

    snapshot: Snapshot
    media: tuple[Medium, ...]
    """They stay where they are."""
    not_taken: tuple[NotTaken, ...]
    guids: Mapping[int, str]
    """The items that Anki's cards became, by the cards' numbers."""


@dataclass(frozen=True, slots=True)
class _AnkiCard:
    """A card of the collection, with what it needs of its note."""

    deck: int
    ord: int
    queue: int
    flag: int
    note: str
    notetype: int
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    state: CardState

    @property
    def label(self) -> str:
        """The beginning of the note's first field, in which a person knows the note again."""
        words = " ".join(markdown(self.fields[0]).split()) or self.note
        return words if len(words) <= _LABEL else f"{words[: _LABEL - 1]}…"


@dataclass(frozen=True, slots=True)
class _Calendar:
    """The learner's time zone, and when their day begins."""

    offset: int
    rollover_hour: int


def read_package(path: Path, at: datetime) -> Package:
    """Read what a package holds.

    Raises DocumentError for a file that is no package, or a broken or hostile one.
    """
    with opened_collection(path) as (connection, media):
        try:
            reader = _CollectionReader(connection, path, at)
            return Package(reader.snapshot(), media, tuple(reader.not_taken), reader.guids)
        except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as e:
            raise DocumentError(
                f"its collection is not as Anki writes it ({type(e).__name__}: {e})",
                where=str(path),
                advice="Export it from Anki again",
            ) from e


def without_known(ours: Snapshot, theirs: Snapshot) -> Snapshot:
    """Return what is new in a package: known items keep their text, reviews come in once."""
    guids = {each.guid for each in ours.items}
    sources = {each.guid for each in ours.sources}
    slugs = {each.slug for each in ours.concepts}
    items = tuple(each for each in theirs.items if each.guid not in guids)
    named = {each.concept for each in items}
    origins = {each.source for each in items}
    return replace(
        theirs,
        items=items,
        concepts=tuple(e for e in theirs.concepts if e.slug in named and e.slug not in slugs),
        sources=tuple(e for e in theirs.sources if e.guid in origins and e.guid not in sources),
        reviews=tuple(_unknown_reviews(ours.reviews, theirs.reviews)),
        starts=tuple(_unknown_starts(ours.starts, theirs.starts)),
    )


def _unknown_reviews(
    ours: Iterable[ReviewRecord], theirs: Iterable[ReviewRecord]
) -> Iterator[ReviewRecord]:
    """Those of theirs that ours do not have.

    Anki numbers reviews by their millisecond, so of several in one it moves some on: the same
    review may come back a little later than it was.
    """
    known: defaultdict[tuple[str, RatingName | None], list[int]] = defaultdict(list)
    for review in sorted(ours, key=lambda each: each.at):
        known[review.item_guid, review.rating].append(_ms(review.at))
    for review in theirs:
        times = known[review.item_guid, review.rating]
        same = next((at for at in times if 0 <= _ms(review.at) - at <= _MOVED_ON), None)
        if same is None:
            yield review
        else:
            times.remove(same)


def _unknown_starts(
    ours: Iterable[MemoryStartRecord], theirs: Iterable[MemoryStartRecord]
) -> Iterator[MemoryStartRecord]:
    """Those of theirs that ours do not have; like reviews, they may come back a little later."""
    known = {each.item_guid: each for each in ours}
    for start in theirs:
        mine = known.get(start.item_guid)
        same = mine is not None and (mine.interval, mine.ease) == (start.interval, start.ease)
        if mine is None or not same or not 0 <= _ms(start.at) - _ms(mine.at) <= _MOVED_ON:
            yield start


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


class _CollectionReader:
    """One collection."""

    def __init__(self, connection: sqlite3.Connection, path: Path, at: datetime) -> None:
        self._connection = connection
        self._path = path
        self._at = at
        self.guids: dict[int, str] = {}
        self.not_taken: list[NotTaken] = []
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._new = ("notetypes",) in tables
        self._cloze = self._cloze_types()
        self._decks = self._deck_names()
        self._calendar = self._find_calendar()
        self._source = digest("anki", path.stem)[:_GUID_DIGITS]

    def snapshot(self) -> Snapshot:
        concepts: dict[str, ConceptRecord] = {}
        items: dict[str, ItemRecord] = {}
        states: dict[int, tuple[str, CardState]] = {}
        noted: set[str] = set()
        unburied = self._day_after_last_use()
        for number, card in self._cards():
            if card.note not in noted:
                noted.add(card.note)
                self._note_not_taken(card)
            concept = self._concept(card, len(concepts))
            item = self._item(card, concept.slug)
            if item is None:
                continue
            concepts.setdefault(concept.slug, concept)
            item = replace(
                item,
                suspended=card.queue == _SUSPENDED,
                buried_until=unburied if card.queue in _BURIED else None,
                marked=_MARKED in map(str.lower, card.tags),
                tags=_tags(card),
                position=len(items),
            )
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

    def _cards(self) -> Iterator[tuple[int, _AnkiCard]]:
        """Yield the cards of the collection with their numbers."""
        rows = self._connection.execute(
            "SELECT cards.id, CASE WHEN cards.odid > 0 THEN cards.odid ELSE cards.did END,"
            " cards.ord, cards.queue, cards.flags, notes.guid, notes.mid, notes.flds, notes.tags,"
            " cards.type, cards.ivl, cards.factor, cards.reps, cards.mod, cards.data"
            " FROM cards JOIN notes ON notes.id = cards.nid ORDER BY cards.id"
        )
        for number, deck, ord_, queue, flags, guid, notetype, fields, tags, *state in rows:
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
                    tags=tuple(str(tags).split()),
                    state=_card_state(state),
                ),
            )

    def _note_not_taken(self, card: _AnkiCard) -> None:
        """List what of a whole note has no place here."""
        if card.notetype in self._cloze:
            hints = read_clozes(markdown(card.fields[0])).hints
            if hints:
                self._leave(card, Reason.HINT, ", ".join(hints))

    def _leave(self, card: _AnkiCard, reason: Reason, what: str) -> None:
        self.not_taken.append(NotTaken(card.label, reason, what))

    def _concept(self, card: _AnkiCard, place: int) -> ConceptRecord:
        """The concept that our own tag names, else one for the deck."""
        ours = [each for each in card.tags if each.startswith(_OUR_TAG)]
        title = self._decks.get(card.deck, self._path.stem)
        slug = ours[0].removeprefix(_OUR_TAG) if ours else slug_of(title)
        name = slug if ours else title
        return ConceptRecord(
            slug, name, "unseen", "", None, self._source, None, place, False, False, ()
        )

    def _item(self, anki: _AnkiCard, slug: str) -> ItemRecord | None:
        """The item that a card becomes; None, and listed, for one that cannot be asked."""
        group = anki.ord + 1
        parts = [markdown(each) for each in anki.fields]
        ours = anki.notetype in _OURS
        name = anki.note if ours else f"{self._source}:{digest(anki.note)[:_GUID_DIGITS]}"
        if anki.notetype in self._cloze:
            clozes: Clozes = read_clozes(parts[0])
            if group not in clozes.groups:
                self._leave(anki, Reason.NO_GAP, f"card {group}")
                return None
            item_guid = name if group == clozes.groups[0] else f"{name}:{group}"
            front, back = clozes.text(group), "\n\n".join(each for each in parts[1:] if each)
            extra = dict(CLOZE.group_extra(group))
            card_kind = CLOZE.name
        else:
            first = min(anki.ord, len(parts) - 1)
            front = parts[first]
            back = "\n\n".join(e for n, e in enumerate(parts) if n != first and e)
            item_guid = name if anki.ord == 0 else f"{name}:{group}"
            extra, card_kind = {}, BASIC.name
        if not front.strip():
            self._leave(anki, Reason.NO_QUESTION, f"card {group}")
            return None
        card = CardRecord(card_kind, front, back, None, extra, digest(front, back, ""), None, name)
        return ItemRecord(
            guid=item_guid,
            kind="card",
            concept=slug,
            source=self._source,
            pack=None,
            position=0,
            created_at=self._at,
            suspended=False,
            marked=False,
            retired=False,
            buried_until=None,
            card=card,
        )

    def _history(
        self, cards: Mapping[int, tuple[str, CardState]]
    ) -> tuple[list[ReviewRecord], list[MemoryStartRecord]]:
        """Return the reviews of these cards, and where the memory of some of them begins."""
        rows: defaultdict[int, list[RevlogRow]] = defaultdict(list)
        for card, *columns in self._connection.execute(
            "SELECT cid, id, ease, ivl, factor, time, type FROM revlog ORDER BY id"
        ):
            if card in cards:
                rows[card].append(RevlogRow(*map(int, columns)))
        reviews: list[ReviewRecord] = []
        starts: list[MemoryStartRecord] = []
        for number, (guid, state) in cards.items():
            log = rows[number]
            reviews += (self._review(guid, row) for row in log if row.counts)
            start = memory_start(log, state)
            if start is not None:
                moment = self._moment(start.at)
                starts.append(MemoryStartRecord(guid, *moment, start.interval, start.ease))
        return reviews, starts

    def _day_after_last_use(self) -> date:
        """Return the learner day on which Anki asks buried cards again."""
        (changed,) = self._connection.execute("SELECT mod FROM col").fetchone()
        return self._moment(int(changed))[2] + timedelta(days=1)

    def _moment(self, milliseconds: int) -> tuple[datetime, int, date]:
        """Return an instant with the learner's clock and day."""
        if not 0 < milliseconds < _MILLENNIA:
            raise ValueError(f"a review at {milliseconds}")
        at = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)
        offset = self._calendar.offset
        return at, offset, learner_day(at, offset, self._calendar.rollover_hour)

    def _review(self, guid: str, row: RevlogRow) -> ReviewRecord:
        at, offset, day = self._moment(row.id)
        return ReviewRecord(
            uuid=str(uuid5(NAMESPACE_URL, f"anki:{guid} {row.id} {row.ease}")),
            item_guid=guid,
            rating=_RATINGS[row.ease],
            withdraws=None,
            at=at,
            utc_offset=offset,
            learner_day=day,
            seconds=max(0, row.time) / 1000,
            origin="import",
        )

    # -- what the two formats keep in different places ---------------------------------------------

    def _json_of(self, column: str) -> dict[str, Any]:
        """Return the JSON object in a column of `col`. Raises DocumentError for any other JSON."""
        (text,) = self._connection.execute(f"SELECT {column} FROM col").fetchone()  # noqa: S608 - ours
        found = json.loads(text)
        if not isinstance(found, dict):
            self._refuse(f"`{column}` of its table `col` is not a JSON object")
        return found

    def _objects_of(self, column: str) -> dict[int, dict[str, Any]]:
        """Return the JSON objects by number in a column of `col`. Raises DocumentError."""
        found = self._json_of(column)
        for key, each in found.items():
            if not isinstance(each, dict):
                self._refuse(f"entry {key!r} of `{column}` is not a JSON object")
        return {int(key): each for key, each in found.items()}

    def _refuse(self, problem: str) -> NoReturn:
        raise DocumentError(
            f"its collection is not as Anki writes it ({problem})",
            where=str(self._path),
            advice="Export it from Anki again",
        )

    def _cloze_types(self) -> set[int]:
        if self._new:  # the type's configuration begins with its kind when that is cloze
            rows = self._connection.execute("SELECT id, config FROM notetypes")
            return {
                number
                for number, config in rows
                if isinstance(config, bytes) and config[:2] == b"\x08\x01"
            }
        return {
            number for number, each in self._objects_of("models").items() if each.get("type") == 1
        }

    def _deck_names(self) -> dict[int, str]:
        if self._new:
            rows = self._connection.execute("SELECT id, name FROM decks")
            return {number: str(name).replace("\x1f", ": ") for number, name in rows}
        decks = self._objects_of("decks")
        return {number: str(each["name"]).replace("::", ": ") for number, each in decks.items()}

    def _find_calendar(self) -> _Calendar:
        if self._new:
            rows = self._connection.execute("SELECT key, val FROM config")
            conf = {key: json.loads(value) for key, value in rows if key in _CALENDAR_KEYS}
        else:
            conf = self._json_of("conf")
        west, hour = conf.get("creationOffset", 0), conf.get("rollover", 4)
        return _Calendar(
            offset=max(-1440, min(1440, -int(west or 0))), rollover_hour=int(hour or 0) % 24
        )


def _tags(card: _AnkiCard) -> tuple[str, ...]:
    """Return the learner's tags of a card, its flag among them."""
    words = [
        each for each in card.tags if each.lower() != _MARKED and not each.startswith(_OUR_TAG)
    ]
    return tags_of([*words, *FLAGS[card.flag - 1 : card.flag]] if card.flag else words)


def _card_state(columns: Sequence[Any]) -> CardState:
    """Return what a card's own row says of its memory."""
    kind, interval, factor, reps, changed, data = columns  # `changed` is in seconds
    try:
        told = json.loads(data or "{}")
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
        last=int(last or changed) * 1000,
        stability=stability,
        difficulty=difficulty,
    )


def _number(value: object) -> float | None:
    """Return a positive number; None for everything else."""
    known = isinstance(value, int | float) and math.isfinite(value) and value > 0
    return float(value) if known else None  # type: ignore[arg-type]  # known to be one


_LABEL: Final = 60  # characters
_CALENDAR_KEYS: Final = frozenset({"creationOffset", "rollover"})
