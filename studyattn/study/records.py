"""Rows of the database as the values that the forgetting model speaks of, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from studyattn.memory import LoggedReview, MemoryState, New, Phase, Rating, Remembered
from studyattn.store.models import ItemRow, ReviewRow

AnyRow = Row[*tuple[Any, ...]]

MEMORY_COLUMNS = (
    ItemRow.phase,
    ItemRow.step,
    ItemRow.stability,
    ItemRow.difficulty,
    ItemRow.due,
    ItemRow.last_review,
    ItemRow.last_day,
    ItemRow.reps,
    ItemRow.lapses,
)

_REVIEW_COLUMNS = (
    ReviewRow.uuid,
    ReviewRow.item_guid,
    ReviewRow.rating,
    ReviewRow.withdraws,
    ReviewRow.at,
    ReviewRow.utc_offset,
    ReviewRow.learner_day,
    ReviewRow.seconds,
    ReviewRow.origin,
)

_RATINGS: Mapping[int | None, Rating | None] = {None: None, **{int(each): each for each in Rating}}


def memory_of(row: AnyRow) -> MemoryState:
    """The memory state that an item's row caches. `row` has MEMORY_COLUMNS by name."""
    if row.phase == Phase.NEW or row.stability is None:
        return New()
    return Remembered(
        phase=Phase(row.phase),
        step=row.step,
        stability=row.stability,
        difficulty=row.difficulty,
        due=row.due,
        last_review=row.last_review,
        last_day=row.last_day,
        reps=row.reps,
        lapses=row.lapses,
    )


def memory_values(state: MemoryState) -> dict[str, Any]:
    """The memory columns of an item in this state."""
    if isinstance(state, New):
        return {
            "phase": Phase.NEW.value,
            "step": 0,
            "stability": None,
            "difficulty": None,
            "due": None,
            "last_review": None,
            "last_day": None,
            "reps": 0,
            "lapses": 0,
        }
    return {
        "phase": state.phase.value,
        "step": state.step,
        "stability": state.stability,
        "difficulty": state.difficulty,
        "due": state.due,
        "last_review": state.last_review,
        "last_day": state.last_day,
        "reps": state.reps,
        "lapses": state.lapses,
    }


def review_values(review: LoggedReview) -> dict[str, Any]:
    """The columns of a row of the log."""
    return {
        "uuid": review.uuid,
        "item_guid": review.item_guid,
        "rating": None if review.rating is None else int(review.rating),
        "withdraws": review.withdraws,
        "at": review.at,
        "utc_offset": review.utc_offset,
        "learner_day": review.learner_day,
        "seconds": review.seconds,
        "origin": review.origin,
    }


def select_reviews() -> Select[*tuple[Any, ...]]:
    """Rows of the log that `logged` understands; narrow it with `where`."""
    return select(*_REVIEW_COLUMNS)


def logged(rows: Iterable[AnyRow]) -> list[LoggedReview]:
    """Rows of `select_reviews` as values."""
    return [
        LoggedReview(
            uuid=row[0],
            item_guid=row[1],
            rating=_RATINGS[row[2]],
            withdraws=row[3],
            at=row[4],
            utc_offset=row[5],
            learner_day=row[6],
            seconds=row[7],
            origin=row[8],
        )
        for row in rows
    ]


def log_of(connection: Connection, guid: str) -> list[LoggedReview]:
    """Every row of the log about one item, withdrawals too."""
    return logged(connection.execute(select_reviews().where(ReviewRow.item_guid == guid)))


def logs_of(connection: Connection, guids: Sequence[str]) -> Mapping[str, list[LoggedReview]]:
    """Every row of the log about each of these items."""
    logs: dict[str, list[LoggedReview]] = {guid: [] for guid in guids}
    for start in range(0, len(guids), 500):  # SQLite's limit of variables in a statement
        chunk = guids[start : start + 500]
        rows = connection.execute(select_reviews().where(ReviewRow.item_guid.in_(chunk)))
        for review in logged(rows):
            logs[review.item_guid].append(review)
    return logs
