"""One learner day at a glance: what `statistics.today` reads, and Today and its command show.

Importing this loads next to nothing, so that the app can take a day that another process read.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from studyattn.memory.order import Interleaving
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.store.queries.concept_changes import KnownSince
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.concepts.path import CapstoneOnPath
    from studyattn.study.review.backlog import Backlog
    from studyattn.study.rules.evidence import Suggestion


class WaitingConcept(NamedTuple):
    """A concept of which something is asked now."""

    title: str
    due: int
    new: int


class DayDone(NamedTuple):
    """The gains of the last day of study: today, once something was answered."""

    day: date
    answers: int
    new: int  # cards that were seen for the first time
    held: int  # of the cards answered, those that hold for a week or more now
    passed: int  # drills


class DayAhead(NamedTuple):
    """The work of another day, as it looks now."""

    minutes: int
    cards: int  # due ones
    drills: int
    new: int
    concepts: tuple[str, ...]  # titles, of the new cards

    def words(self) -> str:
        """Return it in a line."""
        named = " · ".join(self.concepts)
        parts = [
            count(self.cards, "card") if self.cards else "",
            count(self.drills, "drill") if self.drills else "",
            f"{self.new} new: {named}" if self.new else "",
        ]
        told = ", ".join(filter(None, parts))
        return f"about {self.minutes} min: {told}" if told else "nothing due"


class Today(NamedTuple):
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
    begun: int = 0  # drills of which steps passed today, and which go on another day
    drills_aside: int = 0  # due ones that the learner keeps out of the session
    order: Interleaving = Interleaving.LAST  # where drills stand in the session
    goal: str = ""  # what the path goes to first
    waiting: tuple[WaitingConcept, ...] = ()  # what is asked now, most first
    known_unknown: tuple[ConceptLine, ...] | None = None  # None while concepts were not read
    recently_known: tuple[KnownSince, ...] | None = None  # the same
    suggestion: Suggestion | None = None
    done: DayDone | None = None  # read with the concepts, as the rest is
    tomorrow: DayAhead | None = None
    capstone: CapstoneOnPath | None = None  # the nearest ahead
    reached: CapstoneOnPath | None = None  # the one that was reached last
    runs: CapstoneOnPath | None = None  # which of the two is worth running now

    @property
    def now(self) -> int:
        """Everything that a session would ask now."""
        return self.cards_now + self.drills_now + self.new
