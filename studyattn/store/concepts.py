"""The one place where a concept's state changes, so that every change is on record."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import Concept, ConceptChange

STATES = ("unseen", "known-unknown", "known")


def record_change(  # noqa: PLR0917 - a change is these five things, in the order one says them
    connection: Connection,
    concept_id: int,
    to_state: str,
    reason: str,
    author: str,
    at: datetime,
) -> bool:
    """Move a concept to a state and keep when, why and by whom (learner, import or program).

    False when it is in that state already: then nothing is recorded. Raises InputError for a state
    that there is not, NotFoundError for a concept that there is not.
    """
    if to_state not in STATES:
        raise InputError(f"no such state: {to_state}", advice=f"Use {', '.join(STATES)}.")
    from_state = connection.scalar(select(Concept.state).where(Concept.id == concept_id))
    if from_state is None:
        raise NotFoundError(f"there is no concept with number {concept_id}")
    if from_state == to_state:
        return False
    connection.execute(update(Concept).where(Concept.id == concept_id).values(state=to_state))
    connection.execute(
        insert(ConceptChange).values(
            concept_id=concept_id,
            at=at,
            from_state=from_state,
            to_state=to_state,
            reason=reason,
            author=author,
        )
    )
    return True
