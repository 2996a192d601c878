"""Today's numbers, and another process that reads them while this one loads the app's libraries.

Importing this loads next to nothing, so that the app can take a day that another process read.
Loading them is most of a start and keeps one core busy. The other process is forked before it,
reads the numbers as `study.profile.glance` shows them, sends them here, and ends.
"""

from __future__ import annotations

import os
import pickle  # what this program's own process sends
import select
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, NoReturn

from studyattn.memory.order import Interleaving

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.store.queries.concept_changes import KnownSince
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.review.backlog import Backlog
    from studyattn.study.review.views import Suggestion


@dataclass(frozen=True, slots=True)
class WaitingConcept:
    """A concept of which something is asked now."""

    title: str
    due: int
    new: int


@dataclass(frozen=True, slots=True)
class Today:
    """One learner day at a glance. Counts follow the limits and the sibling rule."""

    day: date
    cards_now: int  # learning and review cards that are due
    drills_now: int
    new: int
    new_concepts: tuple[str, ...]  # titles of the concepts of the new cards
    later: int
    next_due: datetime | None  # the first of `later`, or of the days to come when nothing is due
    minutes: int  # estimate for all that is asked now
    put_off: int  # new cards that wait because today's minutes are full
    long_drill: str  # the sentence about a drill that is longer than today's minutes allow, or ""
    answered: int  # reviews taken today
    streak: int  # learner days in a row with a review, today included once there is one
    forecast: tuple[tuple[date, int], ...]  # the next seven learner days, today first
    spark: tuple[int, ...]  # reviews of the last fourteen learner days, today last
    never_asked: int  # items; none at a first start without a pack
    backlog: Backlog | None = None  # the plan in force that spreads it
    behind: int = 0  # cards overdue since earlier days where they are more than a day's work
    behind_days: int = 0  # over which these would be spread
    back: date | None = None  # the first day after a vacation that it is now
    drills_aside: int = 0  # due ones that the learner keeps out of the session
    order: Interleaving = Interleaving.LAST  # where drills stand in the session
    waiting: tuple[WaitingConcept, ...] = ()  # what is asked now, most first
    known_unknown: tuple[ConceptLine, ...] | None = None  # None while concepts were not read
    recently_known: tuple[KnownSince, ...] | None = None  # the same
    suggestion: Suggestion | None = None
    by_day: tuple[tuple[date, int], ...] = ()  # reviews of the last weeks, read with the concepts

    @property
    def now(self) -> int:
        """Everything that a session would ask now."""
        return self.cards_now + self.drills_now + self.new


class Ahead:
    """The process that reads a home's numbers. Make it while there is no second thread."""

    def __init__(self, home: Home) -> None:
        """Start the process. Raises OSError where the system allows no other one."""
        reading, writing = os.pipe()
        self._answer = os.fdopen(reading, "rb")
        try:
            self._process = os.fork()
        except OSError:
            self._answer.close()
            os.close(writing)
            raise
        if self._process == 0:
            _send_numbers(home, writing)
        os.close(writing)

    def is_there(self) -> bool:
        """Return whether `take` returns without waiting."""
        return bool(select.select([self._answer], [], [], 0)[0])

    def take(self) -> Today | None:
        """Return the numbers; None if they could not be read. Waits for them; to be called once."""
        with self._answer:
            sent = self._answer.read()
        os.waitpid(self._process, 0)
        try:
            numbers: Today = pickle.loads(sent)  # noqa: S301 - the same program sent it
        except (EOFError, pickle.UnpicklingError):  # it ended before it had sent them
            return None
        return numbers


def read_ahead(home: Home) -> Ahead | None:
    """Begin to read the numbers of a home; None where that cannot be done."""
    if home.server is not None:
        return None
    try:
        return Ahead(home)
    except OSError:
        return None


def _send_numbers(home: Home, writing: int) -> NoReturn:
    """Read the numbers, send them, and end this process whatever happens."""
    try:
        # Late: the process that loads the app does without them.
        from studyattn.study.clock import SystemClock
        from studyattn.study.profile import glance
        from studyattn.study.statistics.today import numbers

        with os.fdopen(writing, "wb") as answer, glance(home, SystemClock()) as reader:
            if reader is not None:
                pickle.dump(numbers(reader), answer)
    finally:
        os._exit(0)  # no exception may leave: it would be this process's second way through the app
