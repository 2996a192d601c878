"""How much of a day's queue fits into the minutes that the learner wants to study. Pure.

What is due is asked in any case: a card put off is a card forgotten. What is *new* is admitted only
while the expected time of the whole day stays within the budget, so a day with much to repeat, or
with a long drill, brings few new cards or none. A drill waits for a shorter day, but at most
`PATIENCE` study days. `rules.simulation` fills the days to come by the same rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from studyattn.memory.order import DayLimits
from studyattn.study.rules.pace import Asked, Pace

PATIENCE: Final = {True: 1, False: 3}
"""Study days that a new drill (True) or a due one (False) waits for room, and then is asked: a new
one holds back what builds on it, so that it comes first where several have waited so long."""


@dataclass(frozen=True, slots=True)
class DoneToday:
    """The items that were answered on a learner day already."""

    asked: tuple[Asked, ...] = ()
    sibling_groups: frozenset[str] = frozenset()

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
    it. It has room on a day on which nothing is due, however long it is. A due drill may wait for
    it to another day, and is asked in any case on a day without. A late drill is asked on any day.
    All these come before new cards, further drills after. Where new cards of the day
    are all that a new drill waits for, room is kept for it behind them. What was done counts by its
    expected time and not by the clock, so that the day's plan does not change while it is followed.
    """
    if budget <= 0:
        return frozenset(each.guid for each in queue)
    parts: defaultdict[tuple[bool, bool, bool], list[Asked]] = defaultdict(list)
    for each in queue:
        parts[each.drill, each.new, bool(each.after)].append(each)
    due_cards, new_cards = parts[False, False, False], parts[False, True, False]
    spent = besides + sum(map(pace.expected, [*done, *due_cards]))
    written = {each.new for each in done if each.drill}
    new, due, locked = parts[True, True, False], parts[True, False, False], parts[True, True, True]
    first = [] if True in written else new[:1]
    repeat = [] if False in written else due[:1]
    must = [each for each in (*new, *due) if each.late]
    if not (spent or repeat):
        must += first
    fits = any(each in must or spent + pace.expected(each) <= budget for each in first)
    if not (written or fits):
        must += repeat
    in_order = [*must, *first, *repeat, *new_cards, *due, *new, *locked]
    room = {each.guid for each in must}, budget - spent
    waiting = [] if fits or True in written else locked
    return _filled(in_order, pace, due_cards, room, waiting)


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
