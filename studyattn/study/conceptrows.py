"""What of a concept's rows several modules of this room read: the concept, its items, its changes.

A concept that was joined into another keeps its rows; `WHOLE` is the concept that it speaks as.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, or_, select

from studyattn.errors import NotFoundError
from studyattn.store.concepts import STATES
from studyattn.store.models import Concept, ConceptChange, Item
from studyattn.study.records import MEMORY_COLUMNS, AnyRow

UNSEEN, KNOWN_UNKNOWN, KNOWN = STATES
LEARNER, UNDO = "learner", "undo"
"""Authors of changes: the learner's own word, and the learner taking it back."""

WHOLE = func.coalesce(Concept.joined_into_id, Concept.id)

_COLUMNS = (
    Concept.id,
    Concept.slug,
    Concept.title,
    Concept.state,
    Concept.body,
    Concept.pack,
    Concept.source_id,
    Concept.joined_into_id,
    Concept.core,
    Concept.position,
    Concept.retired,
)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a concept's state."""

    at: datetime
    from_state: str
    to_state: str
    reason: str
    author: str  # learner | import | program | undo


def find_concept(connection: Connection, slug: str) -> AnyRow:
    """The concept's row. Raises NotFoundError."""
    row = connection.execute(select(*_COLUMNS).where(Concept.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` shows all of them."
        )
    return row


def concept_rows(connection: Connection) -> Sequence[AnyRow]:
    """All concepts in the order of their path, those of the packs first."""
    order = (Concept.pack.is_(None), Concept.pack, Concept.position, Concept.id)
    return connection.execute(select(*_COLUMNS).where(~Concept.retired).order_by(*order)).all()


def items_of(connection: Connection, concept_id: int) -> Sequence[AnyRow]:
    """The items of a concept and of those joined into it: memory columns by name."""
    its = select(Concept.id).where(
        or_(Concept.id == concept_id, Concept.joined_into_id == concept_id)
    )
    return connection.execute(
        select(Item.guid, Item.kind, Item.suspended, *MEMORY_COLUMNS)
        .where(~Item.retired, Item.concept_id.in_(its))
        .order_by(Item.kind, Item.position, Item.id)
    ).all()


def changes_of(connection: Connection, concept_id: int) -> tuple[Change, ...]:
    """The history of a concept's state, oldest first."""
    rows = connection.execute(
        select(
            ConceptChange.at,
            ConceptChange.from_state,
            ConceptChange.to_state,
            ConceptChange.reason,
            ConceptChange.author,
        )
        .where(ConceptChange.concept_id == concept_id)
        .order_by(ConceptChange.at, ConceptChange.id)
    )
    return tuple(Change(*row) for row in rows)


def places_that_stand(changes: Sequence[Change]) -> list[int]:
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
