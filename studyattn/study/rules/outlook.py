"""When new items will first be asked if each day is studied for its minutes. Pure.

The days are filled by the rule that fills a real one (`budget.admitted`), with reviews that are all
recalled. Cards that are forgotten make the way longer, so what comes out is an estimate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from studyattn.study.rules.budget import PATIENCE, Asked, Pace, admitted

HORIZON = 730
"""Days that are looked ahead. What comes later has no day."""


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

    `new` has the new items of each concept, concepts and items in the order in which they are
    learnt; a concept's drills come after its cards. `load` are the seconds that reviews of what was
    begun take today and on the days to come, `begun_today` the new cards of today. `intervals` are
    the days from a card's first answer to each of its reviews. An item that is not reached within
    HORIZON days is left out.
    """
    cards = [each for items in new.values() for each in items if not each.drill]
    drills = [
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
        ready = [
            replace(
                each, late=day >= PATIENCE[True] + max((found[guid] for guid in before), default=0)
            )
            for each, before in drills
            if before <= found.keys()
        ]
        ready = sorted(ready, key=lambda each: not each.late)[: plan.drills]
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
