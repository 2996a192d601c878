"""Items and their cards: what is remembered of them, which may be asked, and how one is shown.

Which items are active and which may be asked is in `rules`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    select,
    text,
    update,
)

from studyattn.store.driver import Driver, instant_text, read_day, read_instant
from studyattn.store.models import CardRow, ItemRow
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.review_log import last_forgotten
from studyattn.store.queries.rules import (
    CONCEPT_OF_ITEM,
    STILL_BACK,
    WHY_BACK,
    active,
    may_be_asked,
)
from studyattn.store.readable import driver_of
from studyattn.store.tags import tags_of

IS_ACTIVE = text(active())
"""`active` for statements of SQLAlchemy that read the table `item`."""

IS_STILL_BACK = text(STILL_BACK)
"""`STILL_BACK` for statements of SQLAlchemy that read both tables."""


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


MEMORY_COLUMNS = tuple(ItemRow.__table__.columns[name] for name in MemoryColumns._fields)
"""The columns of `MemoryColumns`, in its order."""

_MEMORY = ", ".join(f"item.{name}" for name in MemoryColumns._fields)
READ_MEMORY = f"SELECT {_MEMORY} FROM item WHERE guid = ?"  # noqa: S608 - constants
SAVE_MEMORY = (
    f"UPDATE item SET {', '.join(f'{name} = ?' for name in MemoryColumns._fields)} WHERE guid = ?"  # noqa: S608 - constants
)


def read_memory(driver: Driver, guid: str) -> MemoryColumns | None:
    """Return the memory columns of one item; None when there is no such item."""
    row = driver.one(READ_MEMORY, (guid,))
    return None if row is None else _memory(row)


def save_memory(driver: Driver, guid: str, memory: MemoryColumns) -> None:
    """Write the memory columns of one item that was reviewed."""
    if memory.due is None or memory.last_review is None or memory.last_day is None:
        raise ValueError(f"{guid} was not reviewed")
    driver.do(SAVE_MEMORY, (*_as_stored(memory), guid))


def note_forgotten(driver: Driver, guid: str, at: datetime) -> None:
    """Write when an item was rated `again`; its memory does not depend on that."""
    driver.do(_NOTE_FORGOTTEN, (instant_text(at), guid))


def load_memory(connection: Connection) -> dict[str, MemoryColumns]:
    """Return the memory columns of every item, by guid."""
    rows = connection.execute(select(ItemRow.guid, *MEMORY_COLUMNS))
    return {row[0]: MemoryColumns(*row[1:]) for row in rows}


def update_memory(
    connection: Connection,
    memory: Mapping[str, MemoryColumns],
    forgotten: Mapping[str, datetime] | None = None,
) -> None:
    """Write the memory columns of these items, by guid.

    `forgotten` says when each of them was last rated `again`; without it the log is asked.
    """
    driver = driver_of(connection)
    if forgotten is None:
        rows = [(*_as_stored(columns), guid) for guid, columns in memory.items()]
        driver.do_many(SAVE_MEMORY, rows)
        driver.do_many(_NOTE_FORGOTTEN, [(None, guid) for guid in memory])
        asked = last_forgotten(driver, list(memory))
        driver.do_many(_NOTE_FORGOTTEN, [(instant_text(at), guid) for guid, at in asked])
    else:
        moments = {guid: instant_text(at) for guid, at in forgotten.items()}
        rows = [(*_as_stored(columns), moments.get(guid), guid) for guid, columns in memory.items()]
        driver.do_many(_SAVE_MEMORY_AND_FORGOTTEN, rows)


def _as_stored(memory: MemoryColumns) -> tuple[object, ...]:
    due, last_review, last_day = memory[4:7]
    return (
        *memory[:4],
        None if due is None else instant_text(due),
        None if last_review is None else instant_text(last_review),
        None if last_day is None else last_day.isoformat(),
        *memory[7:],
    )


_SAVE_MEMORY_AND_FORGOTTEN = SAVE_MEMORY.replace(
    " WHERE", ", forgotten_at = coalesce(?, forgotten_at) WHERE"
)
_NOTE_FORGOTTEN = "UPDATE item SET forgotten_at = ? WHERE guid = ?"


def _memory(row: Sequence[Any]) -> MemoryColumns:
    """Return the memory columns that a driver gave first in a row."""
    phase, step, stability, difficulty, due, last_review, last_day, reps, lapses = row[:9]
    return MemoryColumns(
        phase=phase,
        step=step,
        stability=stability,
        difficulty=difficulty,
        due=read_instant(due),
        last_review=read_instant(last_review),
        last_day=read_day(last_day),
        reps=reps,
        lapses=lapses,
    )


# ── one item ─────────────────────────────────────────────────────────────────────────────────────


class ItemToShow(NamedTuple):
    """All that the database knows of one item that is shown."""

    memory: MemoryColumns
    kind: str  # card | drill
    marked: bool
    tags: tuple[str, ...]
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


READ_ITEM = (
    f"SELECT {_MEMORY}, item.kind, item.marked, item.tags, item.suspended,"  # noqa: S608 - constants
    f" {may_be_asked(today='?')}, item.pack, concept.slug, concept.title, source.title,"
    " card.kind, card.front, card.back, card.answer, card.extra,"
    f" {WHY_BACK}"
    f" FROM item {CONCEPT_OF_ITEM}"
    " LEFT JOIN source ON source.id = item.source_id"
    " LEFT JOIN card ON card.item_id = item.id"
    " WHERE item.guid = ?"
)


def read_item(driver: Driver, guid: str, today: date) -> ItemToShow | None:
    """Return one item, and whether it may be asked today; None when there is no such item."""
    row = driver.one(READ_ITEM, (today.isoformat(), guid))
    if row is None:
        return None
    kind, marked, tags, suspended, asked, pack, slug, title, source, card_kind = row[9:19]
    front, back, answer, extra, why_back = row[19:]
    return ItemToShow(
        memory=_memory(row),
        kind=kind,
        marked=bool(marked),
        tags=tuple(tags.split()),
        suspended=bool(suspended),
        may_be_asked=bool(asked),
        pack=pack,
        concept_slug=slug,
        concept_title=title,
        source_title=source,
        card_kind=card_kind,
        front=front,
        back=back,
        answer=answer,
        extra={} if extra is None else json.loads(extra),
        why_back=why_back,
    )


def concept_of_item(connection: Connection, guid: str) -> ConceptOfItem:
    """Return the concept by whose name an item goes."""
    row = connection.execute(_CONCEPT_OF, {"guid": guid}).one()
    return ConceptOfItem(*row)


_CONCEPT_OF = text(
    f"SELECT concept.slug, concept.title FROM item {CONCEPT_OF_ITEM} WHERE item.guid = :guid"  # noqa: S608 - a constant
)


def has_item(connection: Connection, guid: str) -> bool:
    """Return whether there is an item with this guid."""
    return connection.scalar(select(ItemRow.id).where(ItemRow.guid == guid)) is not None


def guids_there(connection: Connection, guids: Sequence[str]) -> list[str]:
    """Return those of some guids that items have; at most a few thousand at once."""
    return list(connection.scalars(select(ItemRow.guid).where(ItemRow.guid.in_(guids))))


def item_guids(connection: Connection) -> set[str]:
    """Return the guid of every item."""
    return set(connection.scalars(select(ItemRow.guid)))


def set_suspended(connection: Connection, guid: str, suspended: bool, at: datetime) -> bool:
    """Suspend an item or bring it back. False when there is no such item."""
    return _set(connection, guid, "suspended", suspended, at)


def set_marked(connection: Connection, guid: str, marked: bool, at: datetime) -> bool:
    """Mark an item or unmark it. False when there is no such item."""
    return _set(connection, guid, "marked", marked, at)


def set_tags(connection: Connection, guid: str, tags: Iterable[str], at: datetime) -> bool:
    """Give an item these tags and no others. False when there is no such item."""
    return _set(connection, guid, "tags", tags_of(tags), at)


def set_buried(connection: Connection, guid: str, until: date | None, at: datetime) -> bool:
    """Bury an item until a learner day, or unbury it. False when there is no such item."""
    return _set(connection, guid, "buried_until", until, at)


def buried_beyond(connection: Connection, day: date) -> list[str]:
    """Return the guids of items that are buried until a learner day after `day`."""
    statement = select(ItemRow.guid).where(ItemRow.buried_until > day).order_by(ItemRow.guid)
    return list(connection.execute(statement).scalars())


def _set(
    connection: Connection,
    guid: str,
    field: str,
    value: bool | date | tuple[str, ...] | None,
    at: datetime,
) -> bool:
    changed = connection.execute(update(ItemRow).where(ItemRow.guid == guid).values({field: value}))
    if changed.rowcount == 0:
        return False
    decided: Any = value.isoformat() if isinstance(value, date) else value
    decide(connection, "item", guid, field, decided, at)
    return True


def read_card_text(connection: Connection, guid: str) -> CardWording | None:
    """Return a card's text; None for a drill and for a guid that no item has."""
    row = connection.execute(
        select(CardRow.front, CardRow.back, CardRow.edited_at)
        .join(ItemRow, ItemRow.id == CardRow.item_id)
        .where(ItemRow.guid == guid)
    ).one_or_none()
    return None if row is None else CardWording(*row)


def write_card_text(connection: Connection, guid: str, card: CardWording, at: datetime) -> None:
    """Give a card this text at `at`; one that is not the learner's takes the learner's back."""
    own = card.edited_at is not None
    decided = decide(connection, "item", guid, "reworded", own, at)
    card = card._replace(edited_at=decided if own else None)
    item_id = select(ItemRow.id).where(ItemRow.guid == guid).scalar_subquery()
    connection.execute(
        update(CardRow)
        .where(CardRow.item_id == item_id)
        .values(card._asdict())
        .execution_options(synchronize_session=None)
    )
