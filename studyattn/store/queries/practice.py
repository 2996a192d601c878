"""Practice of drills: attempts, the steps beside them, and the cards that mistakes brought back.

Rows of `attempt` and `practice_step` are only added.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Text,
    and_,
    case,
    cast,
    func,
    insert,
    select,
    text,
    update,
)

from studyattn.store.models import (
    AttemptRow,
    BroughtBackRow,
    CardRow,
    ConceptRow,
    ItemRow,
    PracticeStepRow,
    UtcDateTime,
)
from studyattn.store.queries.concepts import counts_as
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.items import IS_ACTIVE, IS_STILL_BACK


class PracticeHead(NamedTuple):
    """The columns that attempts and steps share."""

    uuid: str
    item_guid: str
    at: datetime
    utc_offset: int  # minutes east of UTC
    learner_day: date
    seconds: float  # of work since the row before


class StoredAttempt(NamedTuple):
    """A graded submission."""

    uuid: str
    at: datetime
    learner_day: date
    seconds: float
    code: str
    verdict: str
    report: Mapping[str, Any]  # `Report.to_json`
    hints: int
    revealed: bool


class StoredStep(NamedTuple):
    """Anything else that was done with a drill."""

    uuid: str
    at: datetime
    learner_day: date
    seconds: float
    kind: str  # began | hint | revealed | kept | left
    number: int
    code: str | None


class PassedCode(NamedTuple):
    """The latest code that passed a drill in one backend."""

    guid: str
    backend: str
    learner_day: date
    code: str


class AttemptOutcome(NamedTuple):
    """An attempt without its code."""

    guid: str
    at: datetime
    learner_day: date
    verdict: str
    revealed: bool


class DrillSummary(NamedTuple):
    """All attempts at one drill."""

    guid: str
    passed: bool  # at least once without its solution
    revealed: bool  # at least once with it


class DiagnosedAttempts(NamedTuple):
    """The failed attempts at one drill in which grading recognised the same."""

    guid: str
    times: int
    last: datetime
    diagnosis: Mapping[str, Any]  # the first of their reports


class WaitingCard(NamedTuple):
    """A card that a mistake brought back and that was not answered since."""

    guid: str
    front: str
    concept_slug: str
    misconception: str
    reason: str
    at: datetime


class CuringCard(NamedTuple):
    """A card that a mistake may bring back."""

    guid: str
    group: str | None  # of siblings
    misconceptions: Sequence[str] = ()  # that it was written for


class CardBatch(NamedTuple):
    """The cards that one attempt brought back; `at` and `uuid` are those of its last card's row."""

    at: datetime
    uuid: str
    attempt_uuid: str


_ATTEMPT = tuple(getattr(AttemptRow, name) for name in StoredAttempt._fields)
_STEP = tuple(getattr(PracticeStepRow, name) for name in StoredStep._fields)


# ── attempts and steps ───────────────────────────────────────────────────────────────────────────


def insert_attempt(
    connection: Connection,
    head: PracticeHead,
    *,
    code: str,
    backend: str,
    device: str,
    verdict: str,
    report: Mapping[str, Any],
    hints: int,
    revealed: bool,
) -> None:
    """Add a graded submission."""
    connection.execute(
        insert(AttemptRow).values(
            **head._asdict(),
            code=code,
            backend=backend,
            device=device,
            verdict=verdict,
            report=report,
            hints=hints,
            revealed=revealed,
        )
    )


def insert_step(
    connection: Connection, head: PracticeHead, *, kind: str, number: int, code: str | None
) -> None:
    """Add a step that is no attempt."""
    connection.execute(
        insert(PracticeStepRow).values(**head._asdict(), kind=kind, number=number, code=code)
    )


def attempts_at(connection: Connection, guid: str) -> list[StoredAttempt]:
    """Return the attempts at a drill, in no order."""
    rows = connection.execute(select(*_ATTEMPT).where(AttemptRow.item_guid == guid))
    return [StoredAttempt(*row) for row in rows]


def steps_with(connection: Connection, guid: str) -> list[StoredStep]:
    """Return the other steps with a drill, in no order."""
    rows = connection.execute(select(*_STEP).where(PracticeStepRow.item_guid == guid))
    return [StoredStep(*row) for row in rows]


def attempt_outcomes(connection: Connection, guids: Collection[str]) -> list[AttemptOutcome]:
    """Return the outcomes of all attempts at these drills, oldest first."""
    if not guids:
        return []
    rows = connection.execute(
        select(
            AttemptRow.item_guid,
            AttemptRow.at,
            AttemptRow.learner_day,
            AttemptRow.verdict,
            AttemptRow.revealed,
        )
        .where(AttemptRow.item_guid.in_(guids))
        .order_by(AttemptRow.at, AttemptRow.id)
    )
    return [AttemptOutcome(*row) for row in rows]


def passed_code(connection: Connection) -> list[PassedCode]:
    """Return the latest code that passed each drill in each backend, the latest last."""
    latest = func.row_number().over(
        partition_by=(AttemptRow.item_guid, AttemptRow.backend),
        order_by=(AttemptRow.at.desc(), AttemptRow.id.desc()),
    )
    ranked = (
        select(AttemptRow.id, latest.label("place"))
        .where(AttemptRow.verdict == "passed")
        .subquery("ranked")
    )
    rows = connection.execute(
        select(*(getattr(AttemptRow, name) for name in ("item_guid", *PassedCode._fields[1:])))
        .join(ranked, ranked.c.id == AttemptRow.id)
        .where(ranked.c.place == 1)
        .order_by(AttemptRow.at, AttemptRow.id)
    )
    return [PassedCode(*row) for row in rows]


def drill_summaries(connection: Connection) -> list[DrillSummary]:
    """Return a summary of each drill that was ever attempted."""
    alone = and_(AttemptRow.verdict == "passed", ~AttemptRow.revealed)
    rows = connection.execute(
        select(
            AttemptRow.item_guid,
            func.max(case((alone, 1), else_=0)),
            func.max(case((AttemptRow.revealed, 1), else_=0)),
        ).group_by(AttemptRow.item_guid)
    )
    return [DrillSummary(guid, bool(passed), bool(revealed)) for guid, passed, revealed in rows]


def revealed_drills(connection: Connection) -> set[str]:
    """Return the drills whose solution was ever looked at."""
    return set(
        connection.scalars(
            select(PracticeStepRow.item_guid).where(PracticeStepRow.kind == "revealed")
        )
    )


def was_revealed_on(connection: Connection, guid: str, day: date) -> bool:
    """Return whether the solution of a drill was looked at on a learner day."""
    looked = select(PracticeStepRow.id).where(
        PracticeStepRow.item_guid == guid,
        PracticeStepRow.kind == "revealed",
        PracticeStepRow.learner_day == day,
    )
    return connection.execute(looked.limit(1)).first() is not None


def diagnosed_attempts(connection: Connection) -> list[DiagnosedAttempts]:
    """Return the failed attempts in which a mistake was recognised, by when they were last made."""
    return [
        DiagnosedAttempts(guid, times, last, json.loads(diagnosis))
        for guid, times, last, diagnosis in connection.execute(_DIAGNOSED)
    ]


# Both databases read one value of a JSON text so, and neither loads the rest of the report.
_DIAGNOSED = text(
    """
SELECT item_guid, count(*) AS times, max(at) AS last, diagnosis
FROM (
    SELECT item_guid, at, CAST(report -> 'diagnosis' -> 0 AS TEXT) AS diagnosis
    FROM attempt WHERE verdict <> 'passed'
) AS failed
WHERE diagnosis IS NOT NULL
GROUP BY item_guid, diagnosis ORDER BY last, item_guid, diagnosis"""
).columns(last=UtcDateTime())


# ── cards that mistakes bring back ───────────────────────────────────────────────────────────────


def cards_for_mistakes(connection: Connection, concepts: Collection[int]) -> list[CuringCard]:
    """Return the cards of concepts that were written for misconceptions and may be asked."""
    rows = connection.execute(
        select(ItemRow.guid, CardRow.sibling_group, CardRow.extra)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .where(cast(CardRow.extra, Text).contains('"misconceptions"'), IS_ACTIVE)
        .where(counts_as(concepts))
        .order_by(ItemRow.position, ItemRow.id)
    )
    return [CuringCard(guid, group, extra["misconceptions"]) for guid, group, extra in rows]


def weakest_cards(connection: Connection, concept_id: int) -> list[CuringCard]:
    """Return the cards of a concept that may be asked, the least stable first."""
    rows = connection.execute(
        select(ItemRow.guid, CardRow.sibling_group)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .where(counts_as((concept_id,)), IS_ACTIVE)
        .order_by(ItemRow.stability.is_(None), ItemRow.stability, ItemRow.position, ItemRow.id)
    )
    return [CuringCard(*row) for row in rows]


def insert_brought_back(
    connection: Connection,
    *,
    uuid: str,
    guid: str,
    attempt_uuid: str,
    misconception: str,
    reason: str,
    at: datetime,
    learner_day: date,
) -> None:
    """Make a card due because of an attempt."""
    connection.execute(
        insert(BroughtBackRow).values(
            uuid=uuid,
            item_guid=guid,
            attempt_uuid=attempt_uuid,
            misconception=misconception,
            reason=reason,
            at=at,
            learner_day=learner_day,
        )
    )


def waiting_cards(connection: Connection, *, attempt_uuid: str | None = None) -> list[WaitingCard]:
    """Return the cards that are back, each once; only those of an attempt if one is given."""
    statement = (
        select(
            ItemRow.guid,
            CardRow.front,
            ConceptRow.slug,
            BroughtBackRow.misconception,
            BroughtBackRow.reason,
            BroughtBackRow.at,
        )
        .join(ItemRow, ItemRow.guid == BroughtBackRow.item_guid)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .where(IS_ACTIVE, IS_STILL_BACK)
        .order_by(BroughtBackRow.id)
    )
    if attempt_uuid is not None:
        statement = statement.where(BroughtBackRow.attempt_uuid == attempt_uuid)
    cards = (WaitingCard(*row) for row in connection.execute(statement))
    return list({card.guid: card for card in cards}.values())


def rows_that_hold(connection: Connection, guid: str) -> tuple[str, ...]:
    """Return the UUIDs of the rows because of which a card is back; none if it is not."""
    return tuple(
        connection.scalars(
            select(BroughtBackRow.uuid)
            .join(ItemRow, ItemRow.guid == BroughtBackRow.item_guid)
            .where(ItemRow.guid == guid, IS_STILL_BACK)
        )
    )


def came_back_on(connection: Connection, guid: str, day: date) -> bool:
    """Return whether a mistake brought a card back on a learner day."""
    row = connection.execute(
        select(BroughtBackRow.id)
        .where(BroughtBackRow.item_guid == guid, BroughtBackRow.learner_day == day)
        .limit(1)
    ).first()
    return row is not None


def let_go(connection: Connection, uuids: Collection[str], at: datetime) -> None:
    """Let the cards of these rows go."""
    _set_taken_back(connection, uuids, at, at)


def hold_again(connection: Connection, uuids: Collection[str], at: datetime) -> None:
    """Hold the cards of these rows again."""
    _set_taken_back(connection, uuids, None, at)


def let_batch_go(connection: Connection, attempt_uuid: str, at: datetime) -> int:
    """Let the cards go that an attempt brought back and that still wait; return how many."""
    waiting = [card.guid for card in waiting_cards(connection, attempt_uuid=attempt_uuid)]
    rows = connection.scalars(
        select(BroughtBackRow.uuid).where(
            BroughtBackRow.attempt_uuid == attempt_uuid,
            BroughtBackRow.taken_back_at.is_(None),
            BroughtBackRow.item_guid.in_(waiting),
        )
    )
    let_go(connection, rows.all(), at)
    return len(waiting)


def hold_batch_again(connection: Connection, attempt_uuid: str, at: datetime) -> None:
    """Undo `let_batch_go`."""
    rows = connection.scalars(
        select(BroughtBackRow.uuid).where(BroughtBackRow.attempt_uuid == attempt_uuid)
    )
    hold_again(connection, rows.all(), at)


def _set_taken_back(
    connection: Connection, uuids: Collection[str], taken_back_at: datetime | None, at: datetime
) -> None:
    connection.execute(
        update(BroughtBackRow)
        .where(BroughtBackRow.uuid.in_(uuids))
        .values(taken_back_at=taken_back_at)
    )
    value = None if taken_back_at is None else taken_back_at.isoformat()
    for uuid in uuids:
        decide(connection, "brought-back", uuid, "taken_back_at", value, at)


def last_batch(connection: Connection, drill_guid: str) -> CardBatch | None:
    """Return the last attempt at a drill whose cards are still back."""
    row = connection.execute(
        select(BroughtBackRow.at, BroughtBackRow.uuid, BroughtBackRow.attempt_uuid)
        .join(ItemRow, ItemRow.guid == BroughtBackRow.item_guid)
        .join(AttemptRow, AttemptRow.uuid == BroughtBackRow.attempt_uuid)
        .where(AttemptRow.item_guid == drill_guid, IS_STILL_BACK)
        .order_by(BroughtBackRow.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else CardBatch(*row)
