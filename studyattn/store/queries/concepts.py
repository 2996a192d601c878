"""Concepts: their rows, items, requirements, and the recorded changes of their states.

Every change of a state goes through `record_change` or its forms for many concepts, so that all
are on record. A concept that was joined into another keeps its rows; `WHOLE` is the concept that
it counts as.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Function,
    Select,
    and_,
    bindparam,
    case,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import (
    CardRow,
    ConceptChangeRow,
    ConceptRequiresRow,
    ConceptRow,
    ItemRow,
    ReviewRow,
    SourceRow,
)
from studyattn.store.queries.items import IS_ACTIVE
from studyattn.store.vocabulary import DRILL, KNOWN, STATES, UNDO, UNSEEN

WHOLE = func.coalesce(ConceptRow.joined_into_id, ConceptRow.id)

_NEW = "new"  # the phase of an item that was never asked
_AGAIN = 1  # the rating of an item that was forgotten


class StoredConcept(NamedTuple):
    """The row of a concept."""

    id: int
    slug: str
    title: str
    state: str
    body: str  # Markdown
    pack: str | None
    source_id: int | None
    joined_into_id: int | None
    core: bool
    retired: bool


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


class ConceptItem(NamedTuple):
    """An item of a concept, with its memory."""

    guid: str
    kind: str  # card | drill
    suspended: bool
    phase: str
    stability: float | None  # days
    difficulty: float | None  # 1 to 10
    due: datetime | None
    last_day: date | None  # learner day of the last review
    lapses: int


class CardTally(NamedTuple):
    """Numbers of a concept's own cards, those of joined concepts not included."""

    concept_id: int
    cards: int
    held: int
    due: int
    new: int


class OwnStatement(NamedTuple):
    """A concept that came from no pack, with the title of its document."""

    concept_id: int
    title: str
    body: str
    source: str | None


class OwnCard(NamedTuple):
    """A card that came from no pack, with the title of its document."""

    concept_id: int
    front: str
    back: str
    source: str | None


_COLUMNS = tuple(getattr(ConceptRow, name) for name in StoredConcept._fields)
_CHANGE = tuple(getattr(ConceptChangeRow, each.name) for each in fields(ConceptChange))
_ITEM = tuple(getattr(ItemRow, name) for name in ConceptItem._fields)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find_concept(connection: Connection, slug: str) -> StoredConcept:
    """Return the concept called `slug`. Raises NotFoundError."""
    row = connection.execute(select(*_COLUMNS).where(ConceptRow.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` shows all of them."
        )
    return StoredConcept(*row)


def concept_with_id(connection: Connection, concept_id: int) -> StoredConcept:
    """Return the concept of a row's number, which must be there."""
    return StoredConcept(
        *connection.execute(select(*_COLUMNS).where(ConceptRow.id == concept_id)).one()
    )


def all_concepts(connection: Connection) -> list[StoredConcept]:
    """Return all concepts in the order of their path, those of the packs first."""
    order = (ConceptRow.pack.is_(None), ConceptRow.pack, ConceptRow.position, ConceptRow.id)
    rows = connection.execute(select(*_COLUMNS).where(~ConceptRow.retired).order_by(*order))
    return [StoredConcept(*row) for row in rows]


def joined_concepts(connection: Connection, concept_id: int) -> list[StoredConcept]:
    """Return the concepts that were joined into this one."""
    rows = connection.execute(
        select(*_COLUMNS)
        .where(ConceptRow.joined_into_id == concept_id, ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    return [StoredConcept(*row) for row in rows]


def pack_slugs(connection: Connection, concept_id: int) -> set[str]:
    """Return the slugs by which packs call a concept and those joined into it.

    A pack's slug that another concept had first is stored behind the pack's id.
    """
    slugs = set()
    for slug, pack in connection.execute(
        select(ConceptRow.slug, ConceptRow.pack).where(WHOLE.in_((concept_id,)))
    ):
        slugs |= {slug} if pack is None else {slug, slug.removeprefix(f"{pack}-")}
    return slugs


def concept_of_pack(connection: Connection, pack: str, slug: str) -> StoredConcept | None:
    """Return the concept that a pack calls `slug`, or the one it is joined into.

    It is stored as `PACK-slug` if another concept had that name first.
    """
    named = (
        select(WHOLE)
        .where(ConceptRow.slug.in_((slug, f"{pack}-{slug}")))
        .order_by((func.coalesce(ConceptRow.pack, "") == pack).desc())
        .limit(1)
    )
    row = connection.execute(
        select(*_COLUMNS).where(ConceptRow.id == named.scalar_subquery())
    ).one_or_none()
    return None if row is None else StoredConcept(*row)


def requirements(connection: Connection) -> list[tuple[int, int]]:
    """Return every pair (concept, concept that it requires), by number."""
    rows = connection.execute(select(ConceptRequiresRow.concept_id, ConceptRequiresRow.requires_id))
    return [(concept_id, requires_id) for concept_id, requires_id in rows]


def items_of(connection: Connection, concept_id: int) -> list[ConceptItem]:
    """Return the items of a concept and of those joined into it."""
    rows = connection.execute(
        select(*_ITEM)
        .where(~ItemRow.retired, ItemRow.concept_id.in_(_with_joined(concept_id)))
        .order_by(ItemRow.kind, ItemRow.position, ItemRow.id)
    )
    return [ConceptItem(*row) for row in rows]


def card_tallies(
    connection: Connection, at: datetime, *, held: float, concepts: Collection[int] | None
) -> list[CardTally]:
    """Count the cards of each of `concepts`, or of all: due at `at`, stable for `held` days.

    Concepts without cards are left out.
    """

    def number_of(condition: ColumnElement[bool]) -> Function[int]:
        return func.sum(case((condition, 1), else_=0))

    rows = connection.execute(
        select(
            ItemRow.concept_id,
            func.count(),
            number_of(ItemRow.stability >= held),
            number_of(and_(ItemRow.phase != _NEW, ItemRow.due <= at, ~ItemRow.suspended)),
            number_of(and_(ItemRow.phase == _NEW, ~ItemRow.suspended)),
        )
        .where(ItemRow.kind != DRILL, ~ItemRow.retired, _of(concepts))
        .group_by(ItemRow.concept_id)
    )
    return [CardTally(*row) for row in rows]


def drills_of(connection: Connection, concepts: Collection[int] | None) -> list[tuple[int, str]]:
    """Return (concept, guid) of each drill of `concepts`, or of all."""
    rows = connection.execute(
        select(ItemRow.concept_id, ItemRow.guid).where(
            ItemRow.kind == DRILL, ~ItemRow.retired, _of(concepts)
        )
    )
    return [(concept_id, guid) for concept_id, guid in rows]


def _of(concepts: Collection[int] | None) -> ColumnElement[bool]:
    return true() if concepts is None else ItemRow.concept_id.in_(concepts)


def concepts_to_judge(connection: Connection, *, held: float) -> set[int]:
    """Return the concepts whose items may speak for another state.

    These are the known ones that have items, and those without a card that is stable for less than
    `held` days.
    """
    return set(connection.scalars(_TO_JUDGE, {"held": held}))


_ASKED = (ItemRow.concept_id == ConceptRow.id, IS_ACTIVE)
# The search for one weak card ends at the first; most concepts have many.
_HAS_WEAK_CARD = (
    select(ItemRow.id)
    .where(*_ASKED, ItemRow.kind != DRILL)
    .where(or_(ItemRow.stability.is_(None), ItemRow.stability < bindparam("held")))
    .exists()
)
_TO_JUDGE = (
    select(WHOLE)
    .where(select(ItemRow.id).where(*_ASKED).exists())
    .group_by(WHOLE)
    .having(
        or_(
            func.max(case((ConceptRow.state == KNOWN, 1), else_=0)) == 1,
            func.max(case((_HAS_WEAK_CARD, 1), else_=0)) == 0,
        )
    )
)


def forgotten_since(connection: Connection, concept_id: int, at: datetime) -> set[str]:
    """Return the items of a concept that were rated `again` after an instant, withdrawn or not."""
    guids = select(ItemRow.guid).where(ItemRow.concept_id.in_(_with_joined(concept_id)))
    return set(
        connection.scalars(
            select(ReviewRow.item_guid).where(
                ReviewRow.item_guid.in_(guids), ReviewRow.rating == _AGAIN, ReviewRow.at > at
            )
        )
    )


def _with_joined(concept_id: int) -> Select[int]:
    return select(ConceptRow.id).where(
        or_(ConceptRow.id == concept_id, ConceptRow.joined_into_id == concept_id)
    )


def changes_of(connection: Connection, concept_id: int) -> tuple[ConceptChange, ...]:
    """Return the history of a concept's state, oldest first."""
    rows = connection.execute(
        select(*_CHANGE)
        .where(ConceptChangeRow.concept_id == concept_id)
        .order_by(ConceptChangeRow.at, ConceptChangeRow.id)
    )
    return tuple(ConceptChange(*row) for row in rows)


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


def own_statements(connection: Connection, concept_id: int) -> list[OwnStatement]:
    """Return the concept and those joined into it, as far as they came from no pack."""
    rows = connection.execute(
        select(ConceptRow.id, ConceptRow.title, ConceptRow.body, SourceRow.title)
        .outerjoin(SourceRow, SourceRow.id == ConceptRow.source_id)
        .where(WHOLE.in_((concept_id,)), ConceptRow.pack.is_(None), ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    return [OwnStatement(*row) for row in rows]


def own_cards(connection: Connection, concept_id: int) -> list[OwnCard]:
    """Return the cards of a concept and of those joined into it that came from no pack."""
    rows = connection.execute(
        select(ItemRow.concept_id, CardRow.front, CardRow.back, SourceRow.title)
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .outerjoin(SourceRow, SourceRow.id == ItemRow.source_id)
        .where(WHOLE.in_((concept_id,)), ItemRow.pack.is_(None), ~ItemRow.retired)
        .order_by(ItemRow.position, ItemRow.id)
    )
    return [OwnCard(*row) for row in rows]


# ── changing ─────────────────────────────────────────────────────────────────────────────────────


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


@dataclass(frozen=True, slots=True)
class StateChange:
    """The state that a concept comes to, and why."""

    concept_id: int
    to_state: str
    reason: str


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
    """Let one concept count as another; nothing is moved, so they can be separated again.

    If the other was unseen, it takes the state of the concept that joins it.
    """
    connection.execute(
        update(ConceptRow)
        .where(or_(ConceptRow.id == concept_id, ConceptRow.joined_into_id == concept_id))
        .values(joined_into_id=into_id)
    )
    rows = connection.execute(
        select(ConceptRow.id, ConceptRow.title, ConceptRow.state).where(
            ConceptRow.id.in_([concept_id, into_id])
        )
    )
    by_id = {row.id: row for row in rows}
    joining, whole = by_id[concept_id], by_id[into_id]
    if whole.state == UNSEEN and joining.state != UNSEEN:
        reason = f"{_joined_with(joining.title)}, which is {joining.state}"
        record_change(connection, into_id, joining.state, reason, author, at)


def unjoin(connection: Connection, concept_id: int, author: str, at: datetime) -> int:
    """Separate a concept from the one that it is joined into, and return that one's number.

    That one goes back to its earlier state if nothing but the joining has moved it. Raises
    NotFoundError if the concept is not joined.
    """
    row = connection.execute(
        select(ConceptRow.title, ConceptRow.joined_into_id).where(ConceptRow.id == concept_id)
    ).one()
    whole: int | None = row.joined_into_id
    if whole is None:
        raise NotFoundError(f"“{row.title}” is not joined")
    connection.execute(
        update(ConceptRow).where(ConceptRow.id == concept_id).values(joined_into_id=None)
    )
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
