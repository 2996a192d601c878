"""Values that a review shows: a rendered card, a rating's button, a suggestion, a summary.

This module does not load SQLAlchemy, so an interface can import it before its first frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from studyattn.memory.days import learner_day
from studyattn.memory.state import MemoryState, Phase, Rating, Remembered

if TYPE_CHECKING:
    from studyattn.memory.scheduler import Scheduler
    from studyattn.packs.answers import Expected
    from studyattn.packs.corrections import Correction
    from studyattn.study.clock import Moment
    from studyattn.study.rules.evidence import Suggestion
    from studyattn.study.statistics.day import DayAhead, DayDone


class RenderedCard(NamedTuple):
    """An item in front of the learner. Texts are Markdown.

    A cloze card's `front` has its gap and its `back` is the whole text again with the answer
    marked; every other `back` goes below its `front`. A computed card has fresh numbers each time.
    """

    guid: str
    kind: str  # card | drill
    card_kind: str | None
    front: str
    back: str
    expected: Expected | None  # what `card_loader.compare` compares a typed answer with
    extra: Mapping[str, Any]  # tolerance, unit, links, examples, misconceptions
    concept_slug: str
    concept_title: str
    source_title: str | None
    pack: str | None
    memory: MemoryState
    marked: bool
    suspended: bool
    may_be_asked: bool  # today: neither suspended nor buried nor gone from its pack or source
    written: tuple[str, str]  # front and back as stored, cloze marks included: what is edited
    tags: tuple[str, ...] = ()
    media: Path = Path()  # the folder of the pictures and sounds that its texts name
    drill_id: str | None = None
    brought_back: str = ""  # why it is asked before its time: a mistake in code; else empty
    corrections: tuple[Correction, ...] = ()  # what an imported or own card gets wrong

    @property
    def because(self) -> tuple[str, str]:
        """The drill in which a mistake brought this card back, and the mistake.

        The mistake may well be the answer, so it is told with it.
        """
        where, _, mistake = self.brought_back.partition(": ")
        return where.rpartition(" ")[2], mistake

    @property
    def takes_input(self) -> bool:
        """True if the learner types an answer before the back is shown."""
        return self.expected is not None


class RatingChoice(NamedTuple):
    """One rating, and what it will really lead to."""

    rating: Rating
    due: datetime  # aware, UTC
    interval: str  # "10 min", "4 d", "3 mo", "2 y"


class QueuePart(StrEnum):
    """The state of an item in a session; the value is the word for it on the screen."""

    NEW = "new"
    LEARNING = "learning"  # in steps of minutes, for the first time or again
    DUE = "due"

    @classmethod
    def of(cls, phase: Phase) -> QueuePart:
        """Return the kind of an item in this phase."""
        if phase is Phase.NEW:
            return cls.NEW
        return cls.DUE if phase is Phase.REVIEW else cls.LEARNING


class SessionProgress(NamedTuple):
    """The progress of a session."""

    done: int  # answers
    left: Mapping[QueuePart, int]  # items still to ask, the one that is asked now included
    share: float  # of the answers that it takes in all, 0 to 1; falls by nothing but undo


class LeechOffer(NamedTuple):
    """A card was forgotten so often that its concept needs another look, and a note."""

    guid: str
    concept_slug: str
    concept_title: str
    lapses: int
    reason: str


class SessionSummary(NamedTuple):
    """A session's figures, for its last screen."""

    answered: int
    steps: tuple[tuple[str, str], ...]  # drills of which a step passed: title, what comes next
    by_rating: Mapping[Rating, int]
    new: int  # cards seen for the first time
    seconds: float
    concepts: tuple[str, ...]  # titles of the concepts studied, most studied first
    next_due: datetime | None  # the next item that comes back today
    tomorrow: DayAhead  # as it looks now
    done: DayDone | None  # what the day has brought
    suggestion: Suggestion | None
    leeches: tuple[LeechOffer, ...] = ()


def choices_of(
    scheduler: Scheduler,
    guid: str,
    memory: MemoryState,
    moment: Moment,
    seeds: Mapping[Rating, str] = MappingProxyType({}),
) -> tuple[RatingChoice, ...]:
    """Return the four ratings of an item at a moment, with what each will lead to.

    `seeds` are those that the reviews will have (`LoadAhead.seeds`).
    """
    at = moment.at
    if isinstance(memory, Remembered):
        at = max(at, memory.last_review)
    states = scheduler.next_states(guid, memory, at, moment.utc_offset, seeds)
    rollover = scheduler.settings.rollover_hour

    def wait(state: Remembered) -> str:
        """Return the minutes of a step, or the days between two learner days, as text."""
        if state.phase is not Phase.REVIEW:
            return interval_text(state.due - at)
        return days_text(
            (learner_day(state.due, moment.utc_offset, rollover) - state.last_day).days
        )

    return tuple(RatingChoice(rating, state.due, wait(state)) for rating, state in states.items())


def interval_text(wait: timedelta) -> str:
    """Return a wait as a button shows it: `<1 min`, `10 min`, `5 h`, `4 d`, `3.2 mo`, `1.5 y`."""
    seconds = wait.total_seconds()
    if seconds < 60:
        return "<1 min"
    if seconds < 3600:
        return f"{round(seconds / 60)} min"
    if seconds < 86400:
        return f"{round(seconds / 3600)} h"
    return days_text(seconds / 86400)


def days_text(days: float) -> str:
    """Return a number of days as text: `4 d`, `3.2 mo`, `1.5 y`."""
    if round(days) < 31:
        return f"{round(days)} d"
    if days < 365:
        return f"{days / 30.44:.1f} mo"
    return f"{days / 365.25:.1f} y"
