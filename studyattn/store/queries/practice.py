"""Practice of drills: attempts, the steps beside them, and the cards that mistakes brought back.

Rows of `attempt` and `practice_step` are only added.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, NamedTuple

from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.queries.decisions import decide
from studyattn.store.sql import (
    Connection,
    Statements,
    as_json,
    do,
    insert,
    read_json,
    row,
    rows,
    value,
    values,
)


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


class DiagnosedAttempts(NamedTuple):
    """The failed attempts at one drill in which grading recognised the same."""

    guid: str
    times: int
    last: datetime
    diagnosis: Mapping[str, Any]  # the first of their reports
    mended: int  # 1 if the drill passed on a day after each of them, else 0


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


_SQL = Statements(__file__)


# ── attempts and steps ───────────────────────────────────────────────────────────────────────────


def insert_attempt(
    connection: Connection, head: PracticeHead, *, report: Mapping[str, Any], **columns: object
) -> None:
    """Add a graded submission: its report, and the other columns of `attempt`."""
    insert(connection, "attempt", **head._asdict(), report=as_json(report), **columns)


def insert_step(connection: Connection, head: PracticeHead, **columns: object) -> None:
    """Add a step that is no attempt: the other columns of `practice_step`."""
    insert(connection, "practice_step", **head._asdict(), **columns)


def attempts_at(connection: Connection, guid: str) -> list[StoredAttempt]:
    """Return the attempts at a drill, in no order."""
    return rows(connection, StoredAttempt, _SQL.attempts_at, guid=guid)


def steps_with(connection: Connection, guid: str) -> list[StoredStep]:
    """Return the other steps with a drill, in no order."""
    return rows(connection, StoredStep, _SQL.steps_with, guid=guid)


def attempt_outcomes(connection: Connection, guids: Collection[str]) -> list[AttemptOutcome]:
    """Return the outcomes of all attempts at these drills, oldest first."""
    return rows(connection, AttemptOutcome, _SQL.attempt_outcomes, guids=guids)


def passed_code(connection: Connection) -> list[PassedCode]:
    """Return the latest code that passed each drill in each backend, the latest last."""
    return rows(connection, PassedCode, _SQL.passed_code)


def drill_states(connection: Connection) -> dict[str, str]:
    """Return the best state of each drill that was ever practised: passed, revealed or tried.

    Passed means without the solution.
    """
    return dict(rows(connection, tuple[str, str], _SQL.drill_states))


def was_revealed_on(connection: Connection, guid: str, day: date) -> bool:
    """Return whether the solution of a drill was looked at on a learner day."""
    return value(connection, _SQL.was_revealed_on, guid=guid, day=day) is not None


def diagnosed_attempts(connection: Connection) -> list[DiagnosedAttempts]:
    """Return the failed attempts in which a mistake was recognised, by when they were last made."""
    return rows(connection, DiagnosedAttempts, _SQL.diagnosed_attempts)


# ── cards that mistakes bring back ───────────────────────────────────────────────────────────────


def cards_for_mistakes(connection: Connection, concepts: Collection[int]) -> list[CuringCard]:
    """Return the cards of concepts that were written for misconceptions and may be asked."""
    found = rows(
        connection,
        tuple[str, str | None, dict[str, Any]],
        _SQL.cards_for_mistakes,
        concepts=concepts,
    )
    return [CuringCard(guid, group, extra["misconceptions"]) for guid, group, extra in found]


def weakest_cards(connection: Connection, concept_id: int) -> list[CuringCard]:
    """Return the cards of a concept that may be asked, the least stable first."""
    found = rows(connection, tuple[str, str | None], _SQL.weakest_cards, concepts=[concept_id])
    return [CuringCard(*each) for each in found]


def insert_brought_back(connection: Connection, **columns: object) -> None:
    """Make a card due because of an attempt: the columns of `brought_back`."""
    insert(connection, "brought_back", **columns)


def waiting_cards(connection: Connection, *, attempt_uuid: str | None = None) -> list[WaitingCard]:
    """Return the cards that are back, each once; only those of an attempt if one is given."""
    cards = rows(connection, WaitingCard, _SQL.waiting_cards, attempt=attempt_uuid)
    return list({card.guid: card for card in cards}.values())


def rows_that_hold(connection: Connection, guid: str) -> tuple[str, ...]:
    """Return the UUIDs of the rows because of which a card is back; none if it is not."""
    return tuple(values(connection, _SQL.rows_that_hold, guid=guid))


def came_back_on(connection: Connection, guid: str, day: date) -> bool:
    """Return whether a mistake brought a card back on a learner day."""
    return value(connection, _SQL.came_back_on, guid=guid, day=day) is not None


def let_go(connection: Connection, uuids: Collection[str], at: datetime) -> None:
    """Let the cards of these rows go."""
    _set_taken_back(connection, uuids, at, at)


def hold_again(connection: Connection, uuids: Collection[str], at: datetime) -> None:
    """Hold the cards of these rows again."""
    _set_taken_back(connection, uuids, None, at)


def let_batch_go(connection: Connection, attempt_uuid: str, at: datetime) -> int:
    """Let the cards go that an attempt brought back and that still wait; return how many."""
    waiting = [card.guid for card in waiting_cards(connection, attempt_uuid=attempt_uuid)]
    held = values(connection, _SQL.waiting_rows_of, attempt=attempt_uuid, guids=waiting)
    let_go(connection, held, at)
    return len(waiting)


def hold_batch_again(connection: Connection, attempt_uuid: str, at: datetime) -> None:
    """Undo `let_batch_go`."""
    hold_again(connection, values(connection, _SQL.rows_of_attempt, attempt=attempt_uuid), at)


def _set_taken_back(
    connection: Connection, uuids: Collection[str], taken_back_at: datetime | None, at: datetime
) -> None:
    do(connection, _SQL.set_taken_back, taken_back_at=taken_back_at, uuids=uuids)
    decided = None if taken_back_at is None else taken_back_at.isoformat()
    for uuid in uuids:
        decide(connection, "brought-back", uuid, "taken_back_at", decided, at)


def last_batch(connection: Connection, drill_guid: str) -> CardBatch | None:
    """Return the last attempt at a drill whose cards are still back."""
    return row(connection, CardBatch, _SQL.last_batch, drill=drill_guid)


def _title(diagnosis: str) -> str | None:
    """The title in a diagnosis, whatever another program may have put there."""
    try:
        found: Any = read_json(diagnosis)
    except ValueError:
        return None
    title = found.get("title") if isinstance(found, dict) else None
    return " ".join(title.split()) if isinstance(title, str) and title.strip() else None


class DrillEvent(NamedTuple):
    """An attempt, or another step of practice such as a hint."""

    guid: str
    at: datetime  # aware, UTC
    day: date  # learner day
    seconds: float  # of work since the event before
    verdict: str | None  # of an attempt; None for another step
    hints: int  # looked at up to an attempt; 0 for another step
    revealed: bool  # the solution was seen before an attempt
    mistake: Annotated[str | None, _title]  # title of the first mistake that was recognised


def drill_events(connection: Connection, chosen: Chosen) -> list[DrillEvent]:
    """Return all events of the chosen drills, whenever they were, the earliest first."""
    among = ""
    if not chosen.all_items:
        among = f"WHERE item_guid IN (SELECT guid FROM item WHERE {items_chosen(chosen)})"  # noqa: S608 - constants
    statement = _SQL.drill_events.format(among=among)
    return rows(connection, DrillEvent, statement, **chosen.given())
