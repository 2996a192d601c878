"""The states of concepts: every change on record, and two concepts joined into one.

Every change of a state goes through `record_change` or its forms for many concepts, so that all
are on record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from studyattn.errors import InputError, NotFoundError
from studyattn.grouping import grouped
from studyattn.store.queries.decisions import decide, settle_joins
from studyattn.store.sql import Connection, Statements, do, do_many, row, rows, value
from studyattn.store.vocabulary import STATES, UNSEEN


class ConceptChange(NamedTuple):
    """One change of a concept's state."""

    at: datetime
    from_state: str
    to_state: str
    reason: str
    author: str  # learner | import | program | undo


class KnownSince(NamedTuple):
    """A concept that became known."""

    slug: str
    title: str
    at: datetime


class StateChange(NamedTuple):
    """The state that a concept comes to, and why."""

    concept_id: int
    to_state: str
    reason: str


class _Concept(NamedTuple):
    id: int
    slug: str
    title: str
    state: str
    joined_into_id: int | None


_SQL = Statements(__file__)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def changes_of(connection: Connection, concept_id: int) -> tuple[ConceptChange, ...]:
    """Return the history of a concept's state, oldest first."""
    return tuple(histories_of(connection, (concept_id,)).get(concept_id, ()))


def histories_of(
    connection: Connection, concepts: Collection[int]
) -> dict[int, list[ConceptChange]]:
    """Return the history of the state of each of these concepts that has one, oldest first."""
    found = rows(connection, tuple[int, ConceptChange], _SQL.histories_of, concepts=concepts)
    return grouped(found)


def all_changes(connection: Connection) -> list[tuple[int, ConceptChange]]:
    """Return every change with its concept's number, oldest first."""
    return rows(connection, tuple[int, ConceptChange], _SQL.all_changes)


def recently_known(connection: Connection, limit: int) -> list[KnownSince]:
    """Return the last concepts that the learner or an import made known and that still are."""
    return rows(connection, KnownSince, _SQL.recently_known, most=limit)


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
    from_state = value(connection, _SQL.state_of, concept=concept_id)
    if from_state is None:
        raise NotFoundError(f"there is no concept with number {concept_id}")
    if from_state == to_state:
        return False
    do(connection, _SQL.set_state, concept=concept_id, state=to_state)
    do(
        connection,
        _SQL.add,
        concept_id=concept_id,
        at=at,
        from_state=from_state,
        to_state=to_state,
        reason=reason,
        author=author,
    )
    return True


def record_changes(
    connection: Connection, changes: Sequence[StateChange], author: str, at: datetime
) -> None:
    """Do `record_change` for many concepts that are still unseen, in a few statements."""
    adopt_changes(
        connection,
        {change.concept_id: change.to_state for change in changes},
        [
            {**change._asdict(), "at": at, "from_state": UNSEEN, "author": author}
            for change in changes
        ],
    )


def join(connection: Connection, concept_id: int, into_id: int, author: str, at: datetime) -> None:
    """Let one concept count as another, and with it those that were joined into it.

    Nothing is moved, so they can be separated again. If the other was unseen, it takes the state of
    the concept that joins it.
    """
    joining, whole = _read(connection, concept_id), _read(connection, into_id)
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
    parting = _read(connection, concept_id)
    if parting.joined_into_id is None:
        raise NotFoundError(f"“{parting.title}” is not merged with another concept")
    decide(connection, "concept", parting.slug, "joined_into", None, at)
    settle_joins(connection)
    whole = _read(connection, parting.joined_into_id)
    if whole.joined_into_id is not None:  # both were joined into each other, on two machines
        decide(connection, "concept", whole.slug, "joined_into", None, at)
        settle_joins(connection)
    last = row(connection, tuple[str, str], _SQL.last_change, concept=whole.id)
    if last is not None and last[1].startswith(f"{_joined_with(parting.title)}, "):
        reason = f"parted from “{parting.title}”"
        record_change(connection, whole.id, last[0], reason, author, at)
    return whole.id


def _read(connection: Connection, concept_id: int) -> _Concept:
    (concept,) = rows(connection, _Concept, _SQL.concept, concept=concept_id)
    return concept


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
    do_many(connection, _SQL.add, changes)
    rows_now = ({"concept": concept, "state": state} for concept, state in states.items())
    do_many(connection, _SQL.set_state, rows_now)
