"""The memory of one item, as values: the words that the rest of the program shares.

`MemoryState` is `New | Remembered` rather than one record of optional fields, so that nothing can
ask for the stability of an item that was never reviewed. `scheduler` says how states follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum, StrEnum
from typing import NamedTuple, Self

from studyattn.errors import InputError


class Rating(IntEnum):
    """A grade of recall. Everything but `AGAIN` counts as recalled."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4

    __hash__ = int.__hash__  # an enum's own is a call of Python for each look into a mapping

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rating named `again`, `hard`, `good`, `easy` or `1`–`4`; else an InputError."""
        word = text.strip().lower()
        for rating in cls:
            if word in {rating.name.lower(), str(rating.value)}:
                return rating
        raise InputError(f"no such rating: {text}", advice="Use again, hard, good, easy or 1 to 4.")


DRILL_MARK = ":drill/"
"""Part of the guid of an item that is code to write: `PACK:drill/ID`."""


EXPLANATION_MARK = ":explain/"
"""Part of the guid of a card that asks to explain a concept: `PACK:explain/SLUG`."""


def drill_guid(pack: str, drill: str) -> str:
    """Return the guid under which a pack's drill is scheduled."""
    return f"{pack}{DRILL_MARK}{drill}"


def is_drill(guid: str) -> bool:
    """Return whether an item is code to write."""
    return DRILL_MARK in guid


def has_steps(guid: str) -> bool:
    """Return whether an item is asked again after minutes: all but drills and explanations."""
    return DRILL_MARK not in guid and EXPLANATION_MARK not in guid


def drill_id(guid: str) -> str:
    """`attention:drill/kv-cache` → `kv-cache`."""
    return guid.rpartition(DRILL_MARK)[2]


class Phase(StrEnum):
    """The stage of an item between never seen and held for days."""

    NEW = "new"
    LEARNING = "learning"
    REVIEW = "review"
    RELEARNING = "relearning"


@dataclass(frozen=True, slots=True)
class New:
    """Never reviewed, or every review withdrawn."""

    @property
    def phase(self) -> Phase:
        return Phase.NEW


class Remembered(NamedTuple):
    """Reviewed at least once. `stability` is in days, `difficulty` runs from 1 to 10."""

    phase: Phase
    step: int  # index of the learning or relearning step; 0 in review
    stability: float
    difficulty: float
    due: datetime  # aware, UTC; in review the instant the due learner day begins
    last_review: datetime  # aware, UTC
    last_day: date  # learner day of the last review
    reps: int  # reviews that stand
    lapses: int  # times forgotten while in review


MemoryState = New | Remembered


def is_due(state: MemoryState, at: datetime) -> bool:
    """Return whether an item that was reviewed is to be asked again."""
    return isinstance(state, Remembered) and state.due <= at


class MemoryStart(NamedTuple):
    """An instant at which an item's memory begins: its reviews up to then count no more.

    Without an interval the item is new again. With one it was learned before the log began, and is
    remembered as SM-2 left it: an interval in days and an ease in thousandths. An ease up to 1100
    is a difficulty that Anki writes so.
    """

    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock at that moment
    learner_day: date
    interval: float | None = None
    ease: float | None = None

    @staticmethod
    def ease_of(difficulty: float) -> float:
        """Return the ease that corresponds to a difficulty."""
        return ((difficulty - 1) / 9 + 0.1) * 1000
