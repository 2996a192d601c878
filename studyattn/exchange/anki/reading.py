"""An Anki package → Holdings: its notes as cards, with their review history.

A package is a source, a deck a concept. Notes of a cloze type become cloze cards, all others front
and back: each card of a note asks with another field first, as Basic (and reversed) does. What was
remembered is worked out anew from the log, which gives Anki's own stability and difficulty.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from studyattn.errors import DocumentError
from studyattn.exchange.anki.fields import gaps, markdown
from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.package import opened_collection
from studyattn.exchange.anki.writing import BASIC_ID, CLOZE_ID
from studyattn.exchange.holdings import HeldCard, HeldConcept, HeldItem, HeldSource, Holdings
from studyattn.exchange.matching import digest, slug_of
from studyattn.memory import LoggedReview, Rating, learner_day

_OURS: Final = frozenset({BASIC_ID, CLOZE_ID})
_CRAM: Final = 3  # a review in a filtered deck; without a factor it moved no memory
_MILLENNIA: Final = 9000 * 31_557_600_000
_MOVED_ON: Final = 60_000  # milliseconds
_GUID_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class _Calendar:
    """Where the learner is and when their day begins."""

    offset: int
    rollover_hour: int


def read_package(path: Path, at: datetime) -> tuple[Holdings, tuple[Medium, ...]]:
    """What a package holds, and its media, which stay where they are.

    Raises DocumentError for a file that is no package, or a broken or hostile one.
    """
    with opened_collection(path) as (connection, media):
        try:
            return _Reader(connection, path, at).holdings(), media
        except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as e:
            raise DocumentError(
                f"its collection is not as Anki writes it ({type(e).__name__}: {e})",
                where=str(path),
                advice="Export it from Anki again",
            ) from e


def without_known(ours: Holdings, theirs: Holdings) -> Holdings:
    """What of a package is new here: what we know keeps its text, reviews come in once."""
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
    )


def _unknown_reviews(
    ours: Iterable[LoggedReview], theirs: Iterable[LoggedReview]
) -> Iterator[LoggedReview]:
    """Those of theirs that ours do not have.

    Anki numbers reviews by their millisecond, so of several in one it moves some on: the same
    review may come back a little later than it was.
    """
    known: defaultdict[tuple[str, Rating | None], list[int]] = defaultdict(list)
    for review in sorted(ours, key=lambda each: each.at):
        known[review.item_guid, review.rating].append(_ms(review.at))
    for review in theirs:
        times = known[review.item_guid, review.rating]
        same = next((at for at in times if 0 <= _ms(review.at) - at <= _MOVED_ON), None)
        if same is None:
            yield review
        else:
            times.remove(same)


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


class _Reader:
    """One collection."""

    def __init__(self, connection: sqlite3.Connection, path: Path, at: datetime) -> None:
        self._connection = connection
        self._path = path
        self._at = at
        self._new = bool(self._tables() & {"notetypes"})
        self._cloze = self._cloze_types()
        self._decks = self._deck_names()
        self._calendar = self._find_calendar()
        self._source = digest("anki", path.stem)[:_GUID_DIGITS]

    def holdings(self) -> Holdings:
        concepts: dict[str, HeldConcept] = {}
        items: dict[str, HeldItem] = {}
        guids: dict[int, str] = {}
        rows = self._connection.execute(
            "SELECT cards.id, cards.did, cards.ord, cards.queue, notes.guid, notes.mid, notes.flds,"
            " notes.tags FROM cards JOIN notes ON notes.id = cards.nid ORDER BY cards.id"
        )
        for number, deck, ord_, queue, guid, kind, fields, tags in rows:
            concept = self._concept(deck, str(tags), len(concepts))
            item = self._item(str(guid), int(kind), int(ord_), str(fields), concept.slug)
            if item is None:
                continue
            concepts.setdefault(concept.slug, concept)
            item = replace(item, suspended=queue == -1, position=len(items))
            items[item.guid] = item
            guids[number] = item.guid
        source = HeldSource(
            self._source, "anki", self._path.stem, str(self._path.absolute()), "", "", {}, self._at
        )
        return Holdings(
            sources=(source,),
            concepts=tuple(concepts.values()),
            items=tuple(items.values()),
            reviews=tuple(self._reviews(guids)),
        ).ordered()

    def _concept(self, deck: int, tags: str, place: int) -> HeldConcept:
        """The concept that our own tag names, else one for the deck."""
        ours = [each for each in tags.split() if each.startswith("studyattn::")]
        title = self._decks.get(deck, self._path.stem)
        slug = ours[0].removeprefix("studyattn::") if ours else slug_of(title)
        name = slug if ours else title
        return HeldConcept(
            slug, name, "unseen", "", None, self._source, None, place, False, False, ()
        )

    def _item(self, guid: str, kind: int, ord_: int, fields: str, slug: str) -> HeldItem | None:
        ours = kind in _OURS
        parts = [markdown(each) for each in fields.split("\x1f")]
        name = guid if ours else f"{self._source}:{digest(guid)[:_GUID_DIGITS]}"
        if kind in self._cloze:
            text, groups = gaps(parts[0])
            if ord_ + 1 not in groups:
                return None
            item_guid = name if ord_ + 1 == groups[0] else f"{name}:{ord_ + 1}"
            front, back = text, "\n\n".join(each for each in parts[1:] if each)
            extra: dict[str, Any] = {"group": ord_ + 1}
            card_kind = "cloze"
        else:
            first = min(ord_, len(parts) - 1)
            front = parts[first]
            back = "\n\n".join(e for n, e in enumerate(parts) if n != first and e)
            item_guid = name if ord_ == 0 else f"{name}:{ord_ + 1}"
            extra, card_kind = {}, "basic"
        if not front.strip():
            return None
        card = HeldCard(card_kind, front, back, None, extra, digest(front, back, ""), None, name)
        return HeldItem(
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

    def _reviews(self, guids: Mapping[int, str]) -> Iterator[LoggedReview]:
        rows = self._connection.execute(
            "SELECT id, cid, ease, factor, time, type FROM revlog ORDER BY id"
        )
        for number, card, ease, factor, taken, kind in rows:
            guid = guids.get(card)
            if guid is None or ease not in {1, 2, 3, 4} or (kind == _CRAM and factor == 0):
                continue
            if not 0 < number < _MILLENNIA:
                raise ValueError(f"a review at {number}")
            at = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=number)
            offset = self._calendar.offset
            yield LoggedReview(
                uuid=str(uuid5(NAMESPACE_URL, f"anki:{guid} {number} {ease}")),
                item_guid=guid,
                rating=Rating(ease),
                withdraws=None,
                at=at,
                utc_offset=offset,
                learner_day=learner_day(at, offset, self._calendar.rollover_hour),
                seconds=max(0, int(taken)) / 1000,
                origin="import",
            )

    # -- what the two formats keep in different places ---------------------------------------------

    def _tables(self) -> set[str]:
        rows = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {row[0] for row in rows}

    def _json_of(self, column: str) -> Any:
        (text,) = self._connection.execute(f"SELECT {column} FROM col").fetchone()  # noqa: S608 - ours
        return json.loads(text)

    def _cloze_types(self) -> set[int]:
        if self._new:  # the type's configuration begins with its kind when that is cloze
            rows = self._connection.execute("SELECT id, config FROM notetypes")
            return {number for number, config in rows if bytes(config)[:2] == b"\x08\x01"}
        return {int(key) for key, each in self._json_of("models").items() if each.get("type") == 1}

    def _deck_names(self) -> dict[int, str]:
        if self._new:
            rows = self._connection.execute("SELECT id, name FROM decks")
            return {number: str(name).replace("\x1f", ": ") for number, name in rows}
        decks = self._json_of("decks")
        return {int(key): str(each["name"]).replace("::", ": ") for key, each in decks.items()}

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


_CALENDAR_KEYS: Final = frozenset({"creationOffset", "rollover"})
