"""The states of concepts: every change on record, and two concepts joined into one.

Every change of a state goes through `record_change` or its forms for many concepts, so that all
are on record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import ConceptChangeRow, ConceptRow
from studyattn.store.queries.decisions import decide, settle_joins
from studyattn.store.vocabulary import KNOWN, STATES, UNDO, UNSEEN


@dataclass(frozen=True, slots=True)
class ConceptChange:
    """One change of a concept's state."""

    at: datetime
    from_state: str
    to_state: str
    reason: str
    author: str  # learner | import | program | undo


@dataclass(frozen=True, slots=True)
class KnownSince:
    """A concept that became known."""

    slug: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StateChange:
    """The state that a concept comes to, and why."""

    concept_id: int
    to_state: str
    reason: str


_CHANGE = tuple(getattr(ConceptChangeRow, each.name) for each in fields(ConceptChange))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def changes_of(connection: Connection, concept_id: int) -> tuple[ConceptChange, ...]:
    """Return the history of a concept's state, oldest first."""
    return tuple(histories_of(connection, (concept_id,)).get(concept_id, ()))


def histories_of(
    connection: Connection, concepts: Collection[int]
) -> dict[int, list[ConceptChange]]:
    """Return the history of the state of each of these concepts that has one, oldest first."""
    rows = connection.execute(
        select(ConceptChangeRow.concept_id, *_CHANGE)
        .where(ConceptChangeRow.concept_id.in_(concepts))
        .order_by(ConceptChangeRow.at, ConceptChangeRow.id)
    )
    histories: dict[int, list[ConceptChange]] = {}
    for concept_id, *change in rows:
        histories.setdefault(concept_id, []).append(ConceptChange(*change))
    return histories


def all_changes(connection: Connection) -> list[tuple[int, ConceptChange]]:
    """Return every change with its concept's number, oldest first."""
    rows = connection.execute(
        select(ConceptChangeRow.concept_id, *_CHANGE).order_by(
            ConceptChangeRow.at, ConceptChangeRow.id
        )
    )
    return [(row[0], ConceptChange(*row[1:])) for row in rows]


def recently_known(connection: Connection, limit: int) -> list[KnownSince]:
    """Return the last concepts that the learner or an import made known and that still are."""
    last = func.max(ConceptChangeRow.at)
    rows = connection.execute(
        select(ConceptRow.slug, ConceptRow.title, last)
        .join(ConceptChangeRow, ConceptChangeRow.concept_id == ConceptRow.id)
        .where(
            ConceptRow.state == KNOWN,
            ConceptChangeRow.to_state == KNOWN,
            ConceptChangeRow.author != UNDO,
            ~ConceptRow.retired,
        )
        .group_by(ConceptRow.id)
        .order_by(last.desc(), ConceptRow.id)
        .limit(limit)
    )
    return [KnownSince(*row) for row in rows]


# ── changing ──────────────────────────────────────────────────────────────────────────────────────


def record_change(  # noqa: PLR0917 - a change is these five things, in the order one says them
    connection: Connection,
    concept_id: int,
    to_state: str,
    reason: str,
    author: str,
    at: datetime,
) -> bool:
    """Move a concept to a state and record when, why and by whom (learner, import or program).

    Return False, and record nothing, if it is in that state already. Raises InputError for an
    unknown state, NotFoundError for an unknown concept.
    """
    if to_state not in STATES:
        raise InputError(f"no such state: {to_state}", advice=f"Use {', '.join(STATES)}.")
    from_state = connection.scalar(select(ConceptRow.state).where(ConceptRow.id == concept_id))
    if from_state is None:
        raise NotFoundError(f"there is no concept with number {concept_id}")
    if from_state == to_state:
        return False
    connection.execute(update(ConceptRow).where(ConceptRow.id == concept_id).values(state=to_state))
    connection.execute(
        insert(ConceptChangeRow).values(
            concept_id=concept_id,
            at=at,
            from_state=from_state,
            to_state=to_state,
            reason=reason,
            author=author,
        )
    )
    return True


def record_changes(
    connection: Connection, changes: Sequence[StateChange], author: str, at: datetime
) -> None:
    """Do `record_change` for many concepts that are still unseen, in a few statements."""
    if not changes:
        return
    if unknown := {change.to_state for change in changes} - set(STATES):
        raise InputError(f"no such state: {', '.join(unknown)}")
    connection.execute(
        update(ConceptRow).where(ConceptRow.id == bindparam("row")).values(state=bindparam("to")),
        [{"row": change.concept_id, "to": change.to_state} for change in changes],
    )
    connection.execute(
        insert(ConceptChangeRow),
        [
            {
                "concept_id": change.concept_id,
                "at": at,
                "from_state": UNSEEN,
                "to_state": change.to_state,
                "reason": change.reason,
                "author": author,
            }
            for change in changes
        ],
    )


def join(connection: Connection, concept_id: int, into_id: int, author: str, at: datetime) -> None:
    """Let one concept count as another, and with it those that were joined into it.

    Nothing is moved, so they can be separated again. If the other was unseen, it takes the state of
    the concept that joins it.
    """
    rows = connection.execute(
        select(ConceptRow.id, ConceptRow.slug, ConceptRow.title, ConceptRow.state).where(
            ConceptRow.id.in_([concept_id, into_id])
        )
    )
    by_id = {row.id: row for row in rows}
    joining, whole = by_id[concept_id], by_id[into_id]
    decide(connection, "concept", joining.slug, "joined_into", whole.slug, at)
    settle_joins(connection)
    if whole.state == UNSEEN and joining.state != UNSEEN:
        reason = f"{_joined_with(joining.title)}, which is {joining.state}"
        record_change(connection, into_id, joining.state, reason, author, at)


def unjoin(connection: Connection, concept_id: int, author: str, at: datetime) -> int:
    """Separate a concept from the one that it is joined into, and return that one's number.

    That one goes back to its earlier state if nothing but the joining has moved it. Raises
    NotFoundError if the concept is not joined.
    """
    row = connection.execute(
        select(ConceptRow.slug, ConceptRow.title, ConceptRow.joined_into_id).where(
            ConceptRow.id == concept_id
        )
    ).one()
    whole: int | None = row.joined_into_id
    if whole is None:
        raise NotFoundError(f"“{row.title}” is not merged with another concept")
    decide(connection, "concept", row.slug, "joined_into", None, at)
    settle_joins(connection)
    of_whole = select(ConceptRow.slug, ConceptRow.joined_into_id).where(ConceptRow.id == whole)
    slug, joined = connection.execute(of_whole).one()
    if joined is not None:  # both were joined into each other, on two machines
        decide(connection, "concept", slug, "joined_into", None, at)
        settle_joins(connection)
    last = connection.execute(
        select(ConceptChangeRow.from_state, ConceptChangeRow.reason)
        .where(ConceptChangeRow.concept_id == whole)
        .order_by(ConceptChangeRow.at.desc(), ConceptChangeRow.id.desc())
        .limit(1)
    ).one_or_none()
    if last is not None and last.reason.startswith(f"{_joined_with(row.title)}, "):
        reason = f"parted from “{row.title}”"
        record_change(connection, whole, last.from_state, reason, author, at)
    return whole


def _joined_with(title: str) -> str:
    return f"joined with “{title}”"


def adopt_changes(
    connection: Connection, states: Mapping[int, str], changes: Sequence[Mapping[str, Any]]
) -> None:
    """Take over the history of concepts from another database, and the states that it led to.

    `states` is by the number of the concept; each of `changes` has the columns of
    `concept_change`. Raises InputError for an unknown state.
    """
    if unknown := set(states.values()) - set(STATES):
        raise InputError(f"no such state: {', '.join(sorted(unknown))}")
    if changes:
        connection.execute(insert(ConceptChangeRow), [dict(change) for change in changes])
    if states:
        connection.execute(
            update(ConceptRow)
            .where(ConceptRow.id == bindparam("row"))
            .values(state=bindparam("to")),
            [{"row": row, "to": state} for row, state in states.items()],
        )
