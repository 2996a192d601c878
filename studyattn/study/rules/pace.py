"""The times that answers take: assumed at first, the learner's own after each answer. Pure.

The logarithm of a time beside the assumed one has three parts: the learner's (cards and drills
apart), the kind's, and chance. Each is known in advance as far as the constants below say; answers
move all kinds of a sort a little and their own kind more. So a first drill says something about all
drills, and there is no number of answers from which on everything is different.

A day admits what is due in any case, and what is new while its expected time stays within the
minutes that the learner wants to study (`admitted`). A drill waits for a shorter day, but at most
`PATIENCE` study days.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple, Self

from studyattn.grouping import grouped
from studyattn.memory.order import DayLimits
from studyattn.memory.state import is_drill
from studyattn.packs.card_kinds import BASIC, KINDS

PATIENCE: Final = {True: 1, False: 3}
"""Study days that a new drill (True) or a due one (False) waits for room, and then is asked: a new
one holds back what builds on it, so that it comes first where several have waited so long."""

ROUNDING: Final = 1e-6
"""Seconds by which sums of the same times in another order may differ, far less than is meant."""

_LONGEST: Final = max(PATIENCE.values())
"""Study days after which a drill is asked even if the day has as many as the learner wants."""


class DoneToday(NamedTuple):
    """The items that were answered on a learner day already."""

    asked: tuple[Asked, ...] = ()
    sibling_groups: frozenset[str] = frozenset()
    steps: tuple[Asked, ...] = ()
    """The steps of long drills that passed, of which the whole was not rated."""

    @property
    def all(self) -> tuple[Asked, ...]:
        return (*self.asked, *self.steps)

    @property
    def guids(self) -> frozenset[str]:
        return frozenset(each.guid for each in self.asked)

    @property
    def new_cards(self) -> int:
        return sum(each.new and not each.drill for each in self.asked)

    @property
    def drills(self) -> int:
        return sum(each.drill for each in self.asked)

    def left_of(self, limits: DayLimits) -> DayLimits:
        """Return how much the limits of the day still allow."""
        return limits.after(
            new=self.new_cards,
            reviews=len(self.asked) - self.drills - self.new_cards,
            drills=self.drills,
            new_drills=sum(each.drill and each.new for each in self.asked),
        )


def late_since(since: date, studied: Sequence[date], *, new: bool) -> date | None:
    """Return `since`, the day from which on a drill could be asked, if it is late, else None.

    `studied` are the latest days before today on which the learner answered, the latest first.
    """
    is_late = len(studied) >= PATIENCE[new] and since <= studied[PATIENCE[new] - 1]
    return since if is_late else None


def overdue(studied: Sequence[date]) -> date | None:
    """Return the last day since which a drill waits that may wait no longer; None for none.

    `studied` are the days before today with an answer, the latest first.
    """
    return studied[_LONGEST - 1] if len(studied) >= _LONGEST else None


def long_drill(asked: Iterable[Asked], pace: Pace, *, budget: float, done: Iterable[Asked]) -> str:
    """Return the sentence about a drill for which the day is longer than its budget; '' if none.

    `asked` is what is left of the day, without steps of cards in `done`.
    """
    left = list(asked)
    longest = max((pace.expected(each) for each in left if each.drill), default=0.0)
    whole = sum(map(pace.expected, [*left, *done]))
    if not 0 < budget < whole or longest < budget / 2:
        return ""
    return f"today has a long drill: about {-(-round(longest) // 60)} min"


def admitted(
    queue: Sequence[Asked],
    pace: Pace,
    *,
    budget: float,
    done: Sequence[Asked] = (),
    besides: float = 0.0,
) -> dict[str, int]:
    """The guids of `queue` that are asked today, given what was `done` today already.

    With each comes the number of its steps, 1 for what has none.

    `budget` is in seconds; 0 is none, and admits all. `besides` are the seconds of what else is
    asked. A new drill, or its next step, is given room first, since what follows builds on it. It
    has room on a day on which nothing is due, however long it is. A due drill may wait for it to
    another day, and is asked in any case on a day without. A late drill is asked on any day, or one
    step of it. All these come before new cards, further steps and drills after. Where new cards of
    the day are all that a new drill waits for, room is kept for it behind them. What was done
    counts by its expected time and not by the clock, so that the day's plan does not change while
    it is followed.
    """
    if budget <= 0:
        return {each.guid: len(each.shares) for each in queue}
    day = _Day.of(queue, done, pace)
    spent = besides + sum(map(pace.expected, [*done, *day.due_cards]))
    left = budget - spent
    must = day.overdue
    if not (spent or day.repeat):
        must += day.first
    fits = any(each in must or spent + pace.expected(each) <= budget for each in day.first)
    if not (day.written or fits):
        must += day.repeat
    drills = [*must, *day.first, *day.repeat]
    soon = [
        step for each in (*drills, *day.going_on) for step in _soon(each, pace, left, day.begun)
    ]
    others = [step for each in (*drills, *day.new, *day.due) for step in each.further]
    in_order = [*drills, *soon, *day.new_cards, *day.due, *day.new, *others, *day.locked]
    waiting = [] if fits or True in day.written else day.locked
    return _filled(in_order, pace, day.due_cards, ({each.guid for each in must}, left), waiting)


@dataclass(frozen=True, slots=True)
class _Day:
    """A day's queue by kind, and the drills that were done today already."""

    due_cards: Sequence[Asked]
    new_cards: Sequence[Asked]
    new: Sequence[Asked]  # drills
    due: Sequence[Asked]
    locked: Sequence[Asked]  # new drills that wait for new cards of the day
    begun: Mapping[str, float]  # the seconds of what was done today of a drill
    written: Collection[bool]  # whether a drill that was new (True) or due was done

    @classmethod
    def of(cls, queue: Iterable[Asked], done: Iterable[Asked], pace: Pace) -> Self:
        """Sort the queue."""
        parts = grouped(((each.drill, each.new, bool(each.after)), each) for each in queue)
        drills = [each for each in done if each.drill]
        return cls(
            due_cards=parts[False, False, False],
            new_cards=parts[False, True, False],
            new=parts[True, True, False],
            due=parts[True, False, False],
            locked=parts[True, True, True],
            begun={each.guid: pace.expected(each) for each in drills},
            written={each.new for each in drills},
        )

    @property
    def first(self) -> Sequence[Asked]:
        """The new drill of the day, if none was written yet."""
        return [] if True in self.written else self.new[:1]

    @property
    def repeat(self) -> Sequence[Asked]:
        """The due drill of the day, if none was written again yet."""
        return [] if False in self.written else self.due[:1]

    @property
    def overdue(self) -> list[Asked]:
        """The late drills; of those of which some steps passed, one."""
        late = [
            each for each in (*self.new, *self.due) if each.late and each.guid not in self.begun
        ]
        whole = [each for each in late if not each.begun]
        return whole + [each for each in late if each.begun][:1]

    @property
    def going_on(self) -> list[Asked]:
        """The drills of which a step was done today."""
        return [each for each in (*self.new, *self.due) if each.guid in self.begun]


def _soon(drill: Asked, pace: Pace, left: float, begun: Mapping[str, float]) -> list[Asked]:
    """Return the steps of a drill that come before new cards, with those that were done today.

    They take four fifths of the minutes that there are for what is new.
    """
    done = begun.get(drill.guid, 0.0)
    steps = [drill, *drill.further] if drill.further or done else []
    sums = accumulate(map(pace.expected, steps), initial=done)
    most = (left + done) * 0.8
    return [step for step, seconds in zip(steps, list(sums)[1:], strict=True) if seconds <= most]


def _filled(
    in_order: list[Asked],
    pace: Pace,
    due: Iterable[Asked],
    room: tuple[set[str], float],
    locked: Sequence[Asked],
) -> dict[str, int]:
    """Return what is due and what there is room for: what has to be asked, and so many seconds.

    The first of the `locked` drills comes at once when its last card is asked.
    """
    must, left = room
    asked = {each.guid: 1 for each in due}
    while in_order:
        each = in_order.pop(0)
        seconds = pace.expected(each)
        if asked.get(each.guid, 0) != each.step or not each.after <= asked.keys():
            continue
        if (each.guid in must and not each.step) or seconds <= left - ROUNDING:
            left -= seconds
            asked[each.guid] = each.step + 1
            unlocked = [drill for drill in locked if each.guid in drill.after <= asked.keys()]
            in_order[:0] = unlocked[:1]
            locked = [] if unlocked else locked
    return asked


LONGEST_ANSWER: Final = 300.0
"""Seconds of one answer to a card that count as study: whoever took longer was away. The log keeps
what the clock said."""

FIRST_DRILL: Final = 1.5
"""A new drill takes so many times as long as one that was written before."""

NEW_ANSWERS: Final = 3.0
"""A new card costs as much as so many later answers: a longer first look, and its steps."""

AGAIN: Final = 1.15
"""A due card costs as much as so many answers: of ten one or two come again the same day."""

READING: Final = 10.0
"""Seconds that a new card costs besides, where no lesson says: its share of reading about it."""

LATEST: Final = 100
"""Answers of a kind that are looked at."""

_USUAL_DRILLS: Final[Mapping[str, float]] = {
    "drill-1": 120.0,
    "drill-2": 240.0,
    "drill-3": 360.0,
    "drill-4": 480.0,
    "drill-5": 600.0,
}


class Spread(NamedTuple):
    """Standard deviations of the logarithm of a time: 0.7 is twice as long or half."""

    learners: float  # of one learner's times beside another's
    kinds: float  # of one learner's kinds of cards, or levels of drills, beside each other
    answers: float  # of answers of a kind


SPREADS: Final[Mapping[bool, Spread]] = {
    True: Spread(learners=0.7, kinds=0.15, answers=0.4),  # drills
    False: Spread(learners=0.4, kinds=0.25, answers=0.7),  # cards
}


def usual_seconds() -> dict[str, float]:
    """Return the seconds assumed for one answer to a card of each kind, and a drill of each level.

    A drill's are those of one that was written before. `rating_suggestion.BRISK` is another
    assumption.
    """
    cards = {kind.name: kind.usual_seconds for kind in KINDS.values()}
    return {**cards, **_USUAL_DRILLS}


def counted_seconds(guid: str, seconds: float) -> float:
    """Seconds of an answer that count as study. A drill's were freed of pauses when it was done."""
    return seconds if is_drill(guid) else min(seconds, LONGEST_ANSWER)


def drill_kind(level: int) -> str:
    """The kind under which drills of a level are timed."""
    return f"drill-{min(max(level, 1), 5)}"


def is_drill_kind(kind: str) -> bool:
    """Return whether a kind is a level of drills."""
    return kind.startswith("drill-")


class Asked(NamedTuple):
    """An item of the queue, as far as its time goes. `kind` is a key of `usual_seconds`."""

    guid: str
    kind: str
    new: bool
    reading: float = READING
    """Seconds of reading the pages of a lesson that come before it when it is new."""
    after: frozenset[str] = frozenset()
    """The new cards that have to be seen before a new drill may be asked."""
    late: bool = False
    """True for a drill that has waited for `PATIENCE` study days."""
    shares: tuple[float, ...] = (1.0,)
    """The shares of a drill's time that its steps take which did not pass yet."""
    step: int = 0
    """Which of these steps this is."""
    begun: bool = False
    """True for a drill of which some steps passed."""

    @property
    def further(self) -> list[Asked]:
        """The steps after the first."""
        return [self._replace(step=step) for step in range(1, len(self.shares))]

    @property
    def drill(self) -> bool:
        return is_drill_kind(self.kind)


class Timed(NamedTuple):
    """The time that one answer took."""

    kind: str
    seconds: float
    first: bool = False  # of a drill, whether it was written for the first time


@dataclass(frozen=True, slots=True)
class Pace:
    """The learner's usual time for an answer."""

    seconds: Mapping[str, float] = field(default_factory=usual_seconds)  # by kind
    doubts: Mapping[bool, float] = field(
        default_factory=lambda: {sort: each.learners for sort, each in SPREADS.items()}
    )
    """The common error of all times of drills (True) and of cards: the standard deviation
    of their logarithm."""
    answers: Mapping[str, int] = field(default_factory=dict)  # that this is known from, by kind

    def of_kind(self, kind: str) -> float:
        """Return the seconds of one answer to an item that is not new, of any card if unknown."""
        found = self.seconds.get(kind)
        return self.a_card if found is None else found

    def expected(self, asked: Asked) -> float:
        """Seconds that an item will take on this day, its steps of minutes included."""
        seconds = self.of_kind(asked.kind)
        if asked.drill:
            return (FIRST_DRILL if asked.new else 1.0) * seconds * asked.shares[asked.step]
        return NEW_ANSWERS * seconds + asked.reading if asked.new else AGAIN * seconds

    @property
    def a_card(self) -> float:
        """The seconds of an answer to a card of any kind, as the answers were shared among them."""
        cards = {kind: n for kind, n in self.answers.items() if not is_drill_kind(kind)}
        total = sum(cards.values())
        if not total:
            return self.seconds.get(BASIC.name, BASIC.usual_seconds)
        return sum(self.seconds[kind] * n for kind, n in cards.items()) / total

    def varied(self, cards: float, drills: float) -> Pace:
        """Return the pace that is off by so many standard deviations of its doubts."""
        factors = {
            sort: math.exp(off * self.doubts[sort])
            for sort, off in ((False, cards), (True, drills))
        }
        seconds = {k: each * factors[is_drill_kind(k)] for k, each in self.seconds.items()}
        return Pace(seconds, self.doubts, self.answers)


def _median(values: Iterable[float]) -> float:
    """Return the median; the library's takes longer to import than a command's own work."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


class Times:
    """The times of the latest answers, and the pace that they show."""

    def __init__(self, timed: Iterable[Timed] = ()) -> None:
        """Begin with these answers, the earliest first."""
        self._logs: dict[str, deque[float]] = {}  # beside the assumed times, by kind
        self._usual = usual_seconds()
        for each in timed:
            self.add(*each)

    def add(self, kind: str, seconds: float, first: bool = False) -> None:
        """Add one answer; one of no time or of an unknown kind says nothing."""
        usual = self._usual.get(kind)
        if usual is None or seconds <= 0:
            return
        counted = seconds if is_drill_kind(kind) else min(seconds, LONGEST_ANSWER)
        ratio = counted / usual / (FIRST_DRILL if first else 1)
        self._logs.setdefault(kind, deque(maxlen=LATEST)).append(math.log(ratio))

    def pace(self) -> Pace:
        """Return the times that are expected after these answers."""
        seconds: dict[str, float] = {}
        doubts: dict[bool, float] = {}
        for sort, spread in SPREADS.items():
            kinds = [kind for kind in self._usual if is_drill_kind(kind) == sort]
            own = {kind: _median(self._logs[kind]) for kind in kinds if kind in self._logs}
            sure = {
                kind: 1 / (spread.kinds**2 + spread.answers**2 / len(self._logs[kind]))
                for kind in own
            }
            in_all = 1 / spread.learners**2 + sum(sure.values())
            shift = sum(each * own[kind] for kind, each in sure.items()) / in_all
            doubts[sort] = in_all**-0.5
            for kind in kinds:
                kept = spread.kinds**2 * sure.get(kind, 0.0)
                beside = shift + kept * (own.get(kind, shift) - shift)
                seconds[kind] = self._usual[kind] * math.exp(beside)
        return Pace(seconds, doubts, {kind: len(logs) for kind, logs in self._logs.items()})
