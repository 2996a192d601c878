"""What of a concept's rows several modules of this room read: the concept, its items, its changes.

A concept that was joined into another keeps its rows; `WHOLE` is the concept that it speaks as.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, or_, select

from studyattn.errors import NotFoundError
from studyattn.store.models import ConceptChangeRow, ConceptRow, ItemRow
from studyattn.store.queries.concepts import STATES
from studyattn.study.records import MEMORY_COLUMNS, AnyRow

UNSEEN, KNOWN_UNKNOWN, KNOWN = STATES
LEARNER, UNDO = "learner", "undo"
"""Authors of changes: the learner's own word, and the learner taking it back."""

WHOLE = func.coalesce(ConceptRow.joined_into_id, ConceptRow.id)

_COLUMNS = (
    ConceptRow.id,
    ConceptRow.slug,
    ConceptRow.title,
    ConceptRow.state,
    ConceptRow.body,
    ConceptRow.pack,
    ConceptRow.source_id,
    ConceptRow.joined_into_id,
    ConceptRow.core,
    ConceptRow.position,
    ConceptRow.retired,
)


@dataclass(frozen=True, slots=True)
class ConceptChange:
    """One change of a concept's state."""

    at: datetime
    from_state: str
    to_state: str
    reason: str
    author: str  # learner | import | program | undo


def find_concept(connection: Connection, slug: str) -> AnyRow:
    """The concept's row. Raises NotFoundError."""
    row = connection.execute(select(*_COLUMNS).where(ConceptRow.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` shows all of them."
        )
    return row


def concept_rows(connection: Connection) -> Sequence[AnyRow]:
    """All concepts in the order of their path, those of the packs first."""
    order = (ConceptRow.pack.is_(None), ConceptRow.pack, ConceptRow.position, ConceptRow.id)
    return connection.execute(select(*_COLUMNS).where(~ConceptRow.retired).order_by(*order)).all()


def items_of(connection: Connection, concept_id: int) -> Sequence[AnyRow]:
    """The items of a concept and of those joined into it: memory columns by name."""
    its = select(ConceptRow.id).where(
        or_(ConceptRow.id == concept_id, ConceptRow.joined_into_id == concept_id)
    )
    return connection.execute(
        select(ItemRow.guid, ItemRow.kind, ItemRow.suspended, *MEMORY_COLUMNS)
        .where(~ItemRow.retired, ItemRow.concept_id.in_(its))
        .order_by(ItemRow.kind, ItemRow.position, ItemRow.id)
    ).all()


def changes_of(connection: Connection, concept_id: int) -> tuple[ConceptChange, ...]:
    """The history of a concept's state, oldest first."""
    rows = connection.execute(
        select(
            ConceptChangeRow.at,
            ConceptChangeRow.from_state,
            ConceptChangeRow.to_state,
            ConceptChangeRow.reason,
            ConceptChangeRow.author,
        )
        .where(ConceptChangeRow.concept_id == concept_id)
        .order_by(ConceptChangeRow.at, ConceptChangeRow.id)
    )
    return tuple(ConceptChange(*row) for row in rows)


def places_that_stand(changes: Sequence[ConceptChange]) -> list[int]:
    """Of one concept's changes, oldest first, the places of those that were not taken back.

    A change by UNDO takes back the last one that stands and went the other way. Where two databases
    were joined there may be none left; then it is a change like any other.
    """
    stand: list[int] = []
    for place, change in enumerate(changes):
        way_back = (change.to_state, change.from_state)
        undone = (
            each
            for each in reversed(stand)
            if (changes[each].from_state, changes[each].to_state) == way_back
        )
        taken_back = next(undone, None) if change.author == UNDO else None
        if taken_back is None:
            stand.append(place)
        else:
            stand.remove(taken_back)
    return stand


def last_change(connection: Connection, concept_id: int) -> datetime | None:
    """When the concept came to the state that it is in."""
    changes = changes_of(connection, concept_id)
    stand = places_that_stand(changes)
    return changes[stand[-1]].at if stand else None
