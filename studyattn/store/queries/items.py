"""Items and their cards: what is remembered of them, which may be asked, and how one is shown.

Which items are active and which may be asked is in `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from studyattn.store.driver import Driver, instant_text
from studyattn.store.log_values import read_stored_instant
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.review_log import last_forgotten
from studyattn.store.sql import (
    Connection,
    Statements,
    do,
    do_many,
    driver_of,
    make,
    row,
    rows,
    value,
    values,
)
from studyattn.store.tags import TagsRead, stored_tags, tags_of
from studyattn.store.vocabulary import OWN

# ── memory ───────────────────────────────────────────────────────────────────────────────────────


class MemoryColumns(NamedTuple):
    """The memory columns of an item's row, a cache of the fold over its reviews."""

    phase: str  # new | learning | review | relearning
    step: int
    stability: float | None  # days
    difficulty: float | None  # 1–10
    due: datetime | None  # aware, UTC
    last_review: datetime | None  # aware, UTC
    last_day: date | None  # learner day of the last review
    reps: int
    lapses: int


MEMORY_COLUMNS = frozenset(MemoryColumns._fields)
UNSEEN: Final = MemoryColumns("new", 0, None, None, None, None, None, 0, 0)


class FirstMemory(NamedTuple):
    """The memory that the whole log of an item comes to."""

    columns: MemoryColumns = UNSEEN
    forgotten_at: int | None = None
    """The log's instant of the last `again`."""


_SQL = Statements(__file__, MEMORY=", ".join(f"item.{name}" for name in MemoryColumns._fields))


def read_memory(driver: Driver, guid: str) -> MemoryColumns | None:
    """Return the memory columns of one item; None when there is no such item."""
    return make(MemoryColumns, driver.one(_SQL.read_memory, (guid,)))


def save_memory(driver: Driver, guid: str, memory: MemoryColumns) -> None:
    """Write the memory columns of one item that was reviewed."""
    if memory.due is None or memory.last_review is None or memory.last_day is None:
        raise ValueError(f"{guid} was not reviewed")
    driver.do(_SQL.save_memory, (*_as_stored(memory), guid))


def note_forgotten(driver: Driver, guid: str, at: datetime) -> None:
    """Write when an item was rated `again`; its memory does not depend on that."""
    do(driver, _SQL.note_forgotten, at=at, guid=guid)


def load_memory(connection: Connection) -> dict[str, MemoryColumns]:
    """Return the memory columns of every item, by guid."""
    return dict(rows(connection, tuple[str, MemoryColumns], _SQL.load_memory))


def update_memory(connection: Connection, memory: Mapping[str, MemoryColumns]) -> None:
    """Write the memory columns of these items, by guid; the log says when each was forgotten."""
    driver_of(connection).do_many(
        _SQL.save_memory, ((*_as_stored(columns), guid) for guid, columns in memory.items())
    )
    asked = {**dict.fromkeys(memory), **dict(last_forgotten(connection, list(memory)))}
    do_many(
        connection, _SQL.note_forgotten, ({"at": at, "guid": guid} for guid, at in asked.items())
    )


def write_memories(connection: Connection, memory: Mapping[str, FirstMemory]) -> None:
    """Write the memory of these items, by guid, and when each was last rated `again`."""
    driver_of(connection).do_many(
        _SQL.save_memory_and_forgotten,
        (
            (*_as_stored(columns), at and instant_text(read_stored_instant(at)), guid)
            for guid, (columns, at) in memory.items()
        ),
    )


def _as_stored(memory: MemoryColumns) -> tuple[object, ...]:
    due, last_review, last_day = memory[4:7]
    return (
        *memory[:4],
        None if due is None else instant_text(due),
        None if last_review is None else instant_text(last_review),
        None if last_day is None else last_day.isoformat(),
        *memory[7:],
    )


# ── one item ─────────────────────────────────────────────────────────────────────────────────────


class ItemToShow(NamedTuple):
    """All that the database knows of one item that is shown."""

    memory: MemoryColumns
    kind: str  # card | drill
    marked: bool
    tags: TagsRead
    suspended: bool
    may_be_asked: bool  # on the day that was given
    pack: str | None
    concept_slug: str
    concept_title: str
    source_title: str | None
    card_kind: str | None  # None for a drill, as are the card's texts
    front: str | None
    back: str | None
    answer: str | None
    extra: Mapping[str, Any]
    why_back: str | None  # the sentence for a card that is back for a mistake


class CardWording(NamedTuple):
    """A card's stored Markdown, and since when it is the learner's own wording."""

    front: str
    back: str
    edited_at: datetime | None  # None: as it came from its pack or source


class ConceptOfItem(NamedTuple):
    """The names of a concept."""

    slug: str
    title: str


def read_item(driver: Driver, guid: str, today: date) -> ItemToShow | None:
    """Return one item, and whether it may be asked today; None when there is no such item."""
    return make(ItemToShow, driver.one(_SQL.read_item, (today.isoformat(), guid)))


def concept_of_item(connection: Connection, guid: str) -> ConceptOfItem:
    """Return the concept by whose name an item goes."""
    (concept,) = rows(connection, ConceptOfItem, _SQL.concept_of_item, guid=guid)
    return concept


def has_item(connection: Connection, guid: str) -> bool:
    """Return whether there is an item with this guid."""
    return value(connection, _SQL.has_item, guid=guid) is not None


def guids_there(connection: Connection, guids: Iterable[str]) -> list[str]:
    """Return those of some guids that items have."""
    return values(connection, _SQL.guids_there, guids=list(guids))


def item_guids(connection: Connection) -> set[str]:
    """Return the guid of every item."""
    return set(values(connection, _SQL.item_guids))


class ItemField(StrEnum):
    """A field on which the learner decides; the value is its name among the decisions."""

    SUSPENDED = "suspended"
    MARKED = "marked"
    TAGS = "tags"  # all that the item has then
    BURIED = "buried_until"  # the learner day on which it comes back
    CONCEPT = "concept"
    REMOVED = "removed"


Value = bool | str | date | tuple[str, ...] | None
"""The value of such a field."""


def put_field(
    connection: Connection, guid: str, field: ItemField, value: Value, at: datetime
) -> bool:
    """Give an item a value of a field. False when there is no such item."""
    value = tags_of(value) if isinstance(value, tuple) else value
    stored = stored_tags(value) if isinstance(value, tuple) else value
    statement = _CHANGES.get(field) or f"UPDATE item SET {field} = :value WHERE guid = :guid"  # noqa: S608 - a column
    if not do(connection, statement, value=stored, guid=guid):
        return False
    decided = value.isoformat() if isinstance(value, date) else value
    decide(connection, "item", guid, field.value, decided, at)
    return True


_CHANGES: Final = {ItemField.CONCEPT: _SQL.move, ItemField.REMOVED: _SQL.remove}
"""The changes of fields that are no column of their name."""


def buried_beyond(connection: Connection, day: date) -> list[str]:
    """Return the guids of items that are buried until a learner day after `day`."""
    return values(connection, _SQL.buried_beyond, day=day)


def read_card_text(connection: Connection, guid: str) -> CardWording | None:
    """Return a card's text; None for a drill and for a guid that no item has."""
    return row(connection, CardWording, _SQL.read_card_text, guid=guid)


def write_card_text(connection: Connection, guid: str, card: CardWording, at: datetime) -> None:
    """Give a card this text at `at`; one that is not the learner's takes the learner's back."""
    own = card.edited_at is not None
    decided = decide(connection, "item", guid, "reworded", own, at)
    card = card._replace(edited_at=decided if own else None)
    do(connection, _SQL.write_card_text, guid=guid, **card._asdict())


class ItemNow(NamedTuple):
    """The fields of one item that can be changed."""

    guid: str
    pack: str | None
    suspended: bool
    marked: bool
    tags: TagsRead
    concept: str  # slug
    removed: bool

    @property
    def own(self) -> bool:
        """Return whether the learner made it: it is in no pack and no document."""
        return self.guid.startswith(OWN)


def read_fields(connection: Connection, ids: Sequence[int]) -> list[ItemNow]:
    """Return what can be changed of the items with these numbers."""
    return rows(connection, ItemNow, _SQL.read_fields, ids=ids)
