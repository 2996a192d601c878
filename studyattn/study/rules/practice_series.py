"""The series of a drill: what was done with it since its last rating, and how long it took. Pure.

Rows of practice are only added. Taking a rating back makes the series before it present again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from studyattn.memory.log import LoggedReview

LONGEST_PAUSE = timedelta(minutes=30)
"""The longest time between two rows that counts as work: a longer one was a break."""


class EntryKind(StrEnum):
    """The kind of event that a row of practice records."""

    ATTEMPT = "attempt"
    BEGAN = "began"  # a series; `number` is that of the file put aside, 0 for none
    HINT = "hint"  # `number` counts from 1
    REVEALED = "revealed"  # the solution was looked at
    KEPT = "kept"  # the file's text before something took its place
    LEFT = "left"  # the learner went away


@dataclass(frozen=True, slots=True)
class PracticeEntry:
    """One row of practice: an attempt or another step."""

    kind: EntryKind
    uuid: str
    at: datetime
    learner_day: date
    seconds: float  # of work since the row before
    number: int = 0
    code: str = ""
    verdict: str | None = None  # of an attempt
    report: Mapping[str, Any] = field(default_factory=dict)
    hints: int = 0
    revealed: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """The order of rows. UUIDs grow as they are made, so rows of one instant keep theirs."""
        return self.at, self.uuid


def present_series(
    entries: Iterable[PracticeEntry], ratings: Sequence[LoggedReview]
) -> list[PracticeEntry]:
    """Return the entries since the last of the drill's ratings in effect."""
    if not ratings:
        return list(entries)
    last = (ratings[-1].at, ratings[-1].uuid)
    return [each for each in entries if each.order > last]


def has(series: Iterable[PracticeEntry], kind: EntryKind) -> bool:
    """Return whether the series has an entry of this kind."""
    return any(each.kind is kind for each in series)


def hints_seen(series: Iterable[PracticeEntry]) -> int:
    """Return how many hints were revealed."""
    return max((each.number for each in series if each.kind is EntryKind.HINT), default=0)


def worked(elapsed: timedelta) -> float:
    """Return the seconds of work in the time between two rows."""
    return min(max(elapsed, timedelta(0)), LONGEST_PAUSE).total_seconds()


def worked_since(series: Sequence[PracticeEntry], now: datetime) -> float:
    """Return the seconds of work since the last row; none after the learner had left."""
    if not series or series[-1].kind is EntryKind.LEFT:
        return 0.0
    return worked(now - series[-1].at)


def seconds_to_pass(series: Iterable[PracticeEntry]) -> float:
    """Return the seconds of work up to the first pass, or on all of the series."""
    seconds = 0.0
    for entry in series:
        seconds += entry.seconds
        if entry.verdict == "passed":
            break
    return seconds
