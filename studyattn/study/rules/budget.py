"""How much of a day's queue fits into the minutes that the learner wants to study. Pure.

What is due is asked in any case: a card put off is a card forgotten. What is *new* is admitted only
while the expected time of the whole day stays within the budget, so a day with much to repeat, or
with a long drill, brings few new cards or none. A drill waits for a shorter day, but at most
`PATIENCE` study days. `first_days` fills the days to come by the same rule.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from statistics import median

from studyattn.memory.order import DayLimits
from studyattn.memory.state import is_drill
from studyattn.packs.card_kinds import BASIC, KINDS

LONGEST_ANSWER = 300.0
"""Seconds of one answer to a card that count as study: whoever took longer was away. The log keeps
what the clock said."""

NEW_ANSWERS = 3.0
"""A new card costs as much as so many later answers: a longer first look, and its steps."""

READING = 10.0
"""Seconds that a new card costs besides, where no lesson says: its share of reading about it."""

FIRST_DRILL = 1.5
"""A new drill takes so many times as long as one that was written before."""

AGAIN = 1.15
"""A due card costs as much as so many answers: of ten one or two come again the same day."""

PATIENCE = {True: 3, False: 10}
"""Study days that a new drill (True) or a due one (False) waits for room, and then is asked: a new
one holds back what builds on it, a due one is asked anyway on a day without a new one."""

_USUAL_DRILLS: Mapping[str, float] = {
    "drill-1": 120.0,
    "drill-2": 240.0,
    "drill-3": 360.0,
    "drill-4": 480.0,
    "drill-5": 600.0,
}

HORIZON = 730
"""Days that are looked ahead. What comes later has no day."""

_FEWEST = {True: 3, False: 10}  # timed drills (True) or answers of a kind before its median counts
LATEST = 100  # answers of a kind that its median is of


def usual_seconds() -> dict[str, float]:
    """Return the seconds for one answer to a card of each kind, and to a drill of each level.

    They hold until the learner's own are known, and are an assumption; `rating_suggestion.BRISK`
    is another. A drill's are those of one that was written before.
    """
    cards = {kind.name: kind.usual_seconds for kind in KINDS.values()}
    return {**cards, **_USUAL_DRILLS}


def counted_seconds(guid: str, seconds: float) -> float:
    """Seconds of an answer that count as study. A drill's were freed of pauses when it was done."""
    return seconds if is_drill(guid) else min(seconds, LONGEST_ANSWER)


def drill_kind(level: int) -> str:
    """The kind under which drills of a level are timed."""
    return f"drill-{min(max(level, 1), 5)}"


@dataclass(frozen=True, slots=True)
class Asked:
    """An item of the queue, as far as its time goes. `kind` is a key of `usual_seconds`."""

    guid: str
    kind: str
    new: bool
    reading: float = READING
    """Seconds of reading the pages of a lesson that come before it when it is new."""
    after: frozenset[str] = frozenset()
    """Of a new drill, the new cards that have to be seen before it may be asked."""
    late: bool = False
    """Of a drill, whether it has waited for `PATIENCE` study days."""

    @property
    def drill(self) -> bool:
        return self.kind.startswith("drill-")


@dataclass(frozen=True, slots=True)
class DoneToday:
    """The items that were answered on a learner day already."""

    asked: tuple[Asked, ...]
    sibling_groups: frozenset[str]

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


@dataclass(frozen=True, slots=True)
class Pace:
    """The learner's usual time for an answer, in seconds by kind."""

    seconds: Mapping[str, float] = field(default_factory=usual_seconds)

    @classmethod
    def of(cls, timed: Iterable[tuple[str, float]]) -> Pace:
        """The medians of the latest answers, given as (kind, seconds) with the latest first.

        A kind of which there are few keeps its usual time.
        """
        own: defaultdict[str, deque[float]] = defaultdict(deque)
        for kind, seconds in timed:
            if seconds > 0 and len(own[kind]) < LATEST:
                own[kind].append(seconds if _is_drill(kind) else min(seconds, LONGEST_ANSWER))
        return cls(
            {
                kind: median(own[kind]) if len(own[kind]) >= _FEWEST[_is_drill(kind)] else usual
                for kind, usual in usual_seconds().items()
            }
        )

    def expected(self, asked: Asked) -> float:
        """Seconds that an item will take on this day, its steps of minutes included."""
        seconds = self.seconds.get(asked.kind, BASIC.usual_seconds)
        if asked.drill:
            return FIRST_DRILL * seconds if asked.new else seconds
        return NEW_ANSWERS * seconds + asked.reading if asked.new else AGAIN * seconds


def late_since(since: date, studied: Sequence[date], *, new: bool) -> date | None:
    """Return `since`, the day from which on a drill could be asked, if it is late, else None.

    `studied` are the latest days before today on which the learner answered, the latest first.
    """
    is_late = len(studied) >= PATIENCE[new] and since <= studied[PATIENCE[new] - 1]
    return since if is_late else None


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
) -> frozenset[str]:
    """The guids of `queue` that are asked today, given what was `done` today already.

    `budget` is in seconds; 0 is none, and admits all. `besides` are the seconds of what else is
    asked. A new drill is given room first, since it cannot be cut in two and what follows builds on
    it. It has room on a day on which nothing is due, however long it is, and on any day when it is
    late. A due drill may wait for it to another day, and is asked in any case on a day without, or
    when it is late. Both come before new cards, further drills after. Where new cards of the day
    are all that a new drill waits for, room is kept for it behind them. What was done counts by its
    expected time and not by the clock, so that the day's plan does not change while it is followed.
    """
    if budget <= 0:
        return frozenset(each.guid for each in queue)
    due_cards, new_cards, due_drills, new_drills, locked = _parts(queue)
    spent = besides + sum(map(pace.expected, done)) + sum(map(pace.expected, due_cards))
    written = {each.new for each in done if each.drill}
    first = [] if True in written else new_drills[:1]
    repeat = [] if False in written else due_drills[:1]
    is_free = not (spent or repeat)
    must = [each for each in first if each.late or is_free]
    fits = bool(must) or any(spent + pace.expected(each) <= budget for each in first)
    must += [each for each in repeat if each.late or not (written or fits)]
    in_order = [*must, *first, *repeat, *new_cards, *due_drills, *new_drills, *locked]
    room = {each.guid for each in must}, budget - spent
    waiting = [] if fits or True in written else locked
    return _filled(in_order, pace, due_cards, room, waiting)


def _parts(queue: Iterable[Asked]) -> tuple[list[Asked], ...]:
    """Return due cards, new cards, due drills, new drills, and those that wait for new cards."""
    parts: defaultdict[tuple[bool, bool, bool], list[Asked]] = defaultdict(list)
    for each in queue:
        parts[each.drill, each.new, bool(each.after)].append(each)
    kinds = ((False, False), (False, True), (True, False), (True, True))
    return (*(parts[*kind, False] for kind in kinds), parts[True, True, True])


def _filled(
    in_order: list[Asked],
    pace: Pace,
    due: Iterable[Asked],
    room: tuple[set[str], float],
    locked: Sequence[Asked],
) -> frozenset[str]:
    """Return what is due and what there is room for: what has to be asked, and so many seconds.

    The first of the `locked` drills comes at once when its last card is asked.
    """
    must, left = room
    asked = {each.guid for each in due}
    while in_order:
        each = in_order.pop(0)
        seconds = pace.expected(each)
        if each.guid in asked or not each.after <= asked:
            continue
        if each.guid in must or seconds <= left:
            left -= seconds
            asked.add(each.guid)
            unlocked = [drill for drill in locked if each.guid in drill.after <= asked]
            in_order[:0] = unlocked[:1]
            locked = [] if unlocked else locked
    return frozenset(asked)


@dataclass(frozen=True, slots=True)
class DayPlan:
    """What a learner wants of each day."""

    budget: float  # seconds; 0 for no limit
    new_cards: int
    drills: int


def first_days(
    new: Mapping[str, Sequence[Asked]],
    plan: DayPlan,
    pace: Pace,
    *,
    load: Sequence[float] = (),
    begun_today: int = 0,
    intervals: Sequence[int] = (),
) -> dict[str, int]:
    """Return by guid the day on which each new item is first asked; 0 is today.

    Reviews are all recalled. Cards that are forgotten make the way longer, so what comes out is an
    estimate.

    `new` has the new items of each concept, concepts and items in the order in which they are
    learnt; a concept's drills come after its cards. `load` are the seconds that reviews of what was
    begun take today and on the days to come, `begun_today` the new cards of today. `intervals` are
    the days from a card's first answer to each of its reviews. An item that is not reached within
    HORIZON days is left out.
    """
    cards = [each for items in new.values() for each in items if not each.drill]
    drills = [  # each with the cards before it
        (each, {item.guid for item in items if not item.drill})
        for items in new.values()
        for each in items
        if each.drill
    ]
    spent: defaultdict[int, float] = defaultdict(float, enumerate(load))
    found: dict[str, int] = {}
    for day in range(HORIZON):
        if not (cards or drills):
            break
        ready = _ready(drills, found, day)[: plan.drills]
        limit = max(0, plan.new_cards - (begun_today if day == 0 else 0))
        queue = [*cards[:limit], *ready]
        asked = admitted(queue, pace, budget=plan.budget, besides=spent[day])
        found.update(dict.fromkeys(asked, day))
        for each in cards[:limit]:
            if each.guid in asked:
                again = pace.expected(Asked(each.guid, each.kind, new=False))
                for interval in intervals:
                    spent[day + interval] += again
        cards = [each for each in cards if each.guid not in asked]
        drills = [pair for pair in drills if pair[0].guid not in asked]
    return found


def _ready(
    drills: Iterable[tuple[Asked, set[str]]], found: Mapping[str, int], day: int
) -> list[Asked]:
    """Return the drills whose cards are all seen, those that waited too long first."""
    ready = []
    for drill, before in drills:
        if before <= found.keys():
            since = max((found[guid] for guid in before), default=0)
            ready.append(replace(drill, late=day >= PATIENCE[True] + since))
    return sorted(ready, key=lambda each: not each.late)


def _is_drill(kind: str) -> bool:
    return kind.startswith("drill-")
