"""Answers by learner day: the log's totals, kept so that looking back does not read the log again.

`review_day` has the figures of each learner day, and the number of the last row of the log that was
there when they were counted. The rows behind it touch some days; from the first of these on all is
counted anew, so the figures are right whatever was added since, in any order. `keep_days` brings
the table up to date. It follows from the log alone, so models, exports and recovery do not know it.
Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, pairwise, takewhile
from typing import Final, NamedTuple, TypeVar

from studyattn.store.log_values import LogDay, stored_day
from studyattn.store.sql import Connection, Statements, do, driver_of, rows, stream, value
from studyattn.store.vocabulary import PHASES

TABLE: Final = "review_day"

WEEK: Final = 7.0
"""Days of stability from which a card is called held for a week."""

_FIGURES: Final = "learner_day, again, hard, good, easy, asked, recalled, seconds"
_AFTER_ALL: Final = stored_day(date.max)
_SQL = Statements(__file__, FIGURES=_FIGURES)


class TimedAnswer(NamedTuple):
    """The time that one answer took."""

    guid: str
    card_kind: str | None  # None for a drill
    seconds: float


class SecondsRule(NamedTuple):
    """The rule by which the seconds of an answer count."""

    longest: float  # of an answer to a card; longer than that the learner was away
    drill_mark: str  # stands in the guids of drills, whose seconds all count


class DayTotal(NamedTuple):
    """The figures of one learner day; its reviews in effect by their rating."""

    day: LogDay
    again: int
    hard: int
    good: int
    easy: int
    asked: int  # answers that measure retention: the day's first to items of an earlier day
    recalled: int  # of these
    seconds: float  # of all rows, withdrawn ones too

    @property
    def reviews(self) -> int:
        """Reviews in effect."""
        return self.again + self.hard + self.good + self.easy


def day_totals(
    connection: Connection, rule: SecondsRule, since: date = date.min
) -> Iterator[DayTotal]:
    """Yield the learner days from `since` on that have rows in the log, the latest first.

    Only the days that are taken are read, and of those only what was added since `keep_days` is
    counted.
    """
    first = _first_not_kept(connection)
    kept = stream(connection, DayTotal, _SQL.kept, first=_AFTER_ALL if first is None else first)
    if first is not None:
        kept = chain(stream(connection, DayTotal, _SQL.day_totals, **_given(first, rule)), kept)
    return takewhile(lambda each: each.day >= since, kept)


class DayGrowth(NamedTuple):
    """The gains of a learner day, beside its answers."""

    new: int  # cards that were seen for the first time
    held: int  # of the cards answered, those that hold for `WEEK` or more now
    passed: int  # drills


def growth(connection: Connection, day: date) -> DayGrowth:
    """Return what a learner day brought."""
    given = {"day": day, "log_day": stored_day(day), "held": WEEK}
    return rows(connection, DayGrowth, _SQL.growth, **given)[0]


def keep_days(connection: Connection, rule: SecondsRule) -> None:
    """Count what was added to the log since the last time, within a write transaction."""
    first = _first_not_kept(connection)
    if first is not None:
        do(connection, _SQL.forget, first=first)
        do(connection, _SQL.keep, **_given(first, rule))


def is_kept_to(connection: Connection, day: date) -> bool:
    """Return whether at most this learner day and later ones have rows that are not counted yet."""
    first = _first_not_kept(connection)
    return first is None or first >= stored_day(day)


def forget_days(connection: Connection) -> None:
    """Forget what was counted, here and in `kept_answers`: all of the log is counted anew."""
    do(connection, "DELETE FROM review_day")
    do(connection, "DELETE FROM review_answers")


def _given(first: int, rule: SecondsRule) -> dict[str, object]:
    return {"first": first, "longest": rule.longest, "drills": f"%{rule.drill_mark}%"}


def _first_not_kept(connection: Connection) -> int | None:
    return first_touched(connection, value(connection, _SQL.kept_to))


def first_touched(connection: Connection, kept_to: int) -> int | None:
    """Return the first learner day that rows behind this one belong to, or withdraw from."""
    day: int | None = value(connection, _SQL.first_touched, through=kept_to)
    return day


def timed_card_answers(connection: Connection) -> list[TimedAnswer]:
    """Return the timed answers to cards among the log's 1000 latest rows, the latest first.

    Rows further back are not read, so a log of a million rows costs no more than one of a thousand.
    """
    return rows(connection, TimedAnswer, _SQL.timed_card_answers)


def timed_drill_answers(connection: Connection) -> list[TimedAnswer]:
    """Return the 200 latest timed ratings of drills, the latest first."""
    return rows(connection, TimedAnswer, _SQL.timed_drill_answers)


Counted = TypeVar("Counted")


class ItemTotals(NamedTuple):
    """Numbers of all items that are not retired."""

    items: int
    by_phase: Mapping[str, int]
    by_stability: Mapping[int, int]  # of reviewed items, by class
    suspended: int
    leeches: int  # items that were forgotten at least so often


def item_totals(
    connection: Connection, *, leech_lapses: int, bounds: Sequence[float]
) -> ItemTotals:
    """Count the items by their phase, the suspended ones, and those with so many lapses.

    Reviewed ones are also counted by class of their stability in days: class 0 is below the first
    of `bounds`, class n begins at the n-th.
    """
    # Counted in one pass without groups: SQLite would sort the items into groups first.
    below = [f"stability < {bound:g}" for bound in bounds]
    conditions = [
        *(f"phase = '{phase}'" for phase in PHASES),
        *below,
        "stability IS NOT NULL",
        "suspended",
        "lapses >= :lapses",
    ]
    counts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    statement = f"SELECT count(*), {counts} FROM item WHERE NOT retired"  # noqa: S608 - constants
    (items, *found) = driver_of(connection).every(statement, {"lapses": leech_lapses})[0]
    phases, upto = found[: len(PHASES)], [0, *found[len(PHASES) : -2]]
    return ItemTotals(
        items=items,
        by_phase=_present(zip(PHASES, phases, strict=True)),
        by_stability=_present(
            (place, upper - lower) for place, (lower, upper) in enumerate(pairwise(upto))
        ),
        suspended=found[-2],
        leeches=found[-1],
    )


def _present(counts: Iterable[tuple[Counted, int]]) -> dict[Counted, int]:
    return {name: number for name, number in counts if number}


def concepts_by_state(connection: Connection) -> dict[str, int]:
    """Count the concepts in each state, joined ones once."""
    return dict(rows(connection, tuple[str, int], _SQL.concepts_by_state))


def count_begun_concepts(connection: Connection) -> int:
    """Count the concepts of which an item was asked, or that the learner has spoken about.

    Joined ones count once.
    """
    return int(value(connection, _SQL.count_begun_concepts))
