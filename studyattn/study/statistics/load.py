"""The load of a year to come, under other retentions: begun and new items, day by day.

The simulation of `rules.simulation`, in which all that is due is asked. The library has a
simulation of its own, which begins with new cards alone, and Anki one that begins with its
collection; for these both agree with this one (tests). Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from typing import Final, NamedTuple

from fsrs_rs_python import MemoryState

from studyattn.memory import SchedulingSettings
from studyattn.store.queries.items_now import ItemNow
from studyattn.study.rules.pace import Pace
from studyattn.study.rules.simulation import (
    Learner,
    PlannedItem,
    Shares,
    Simulation,
    Steps,
)
from studyattn.study.statistics.items import Present
from studyattn.text.figure import Telling, written

DAYS: Final = 365
WHAT_IF: Final = (0.85, 0.9, 0.95)
_MOST: Final = 2500
"""Items that are walked; of more a sample stands for all."""
_TIMES: Final = 3
"""The most walks of each item where there are few, so that chance does not shape the year."""

LEARNING: Final[Steps] = (
    (0.3686, 0.0628, 0.5108, 0.0577),
    (0.0442, 0.4553, 0.4457, 0.0549),
    (0.0519, 0.0470, 0.8462, 0.0550),
)
RELEARNING: Final[Steps] = (
    (0.2157, 0.0643, 0.6595, 0.0604),
    (0.0500, 0.4638, 0.4475, 0.0387),
    (0.1057, 0.1434, 0.7266, 0.0244),
)
"""Those of many learners, from the library's own simulation (`SimulatorConfig` of fsrs-rs)."""


def begun_items(items: Iterable[ItemNow], present: Present) -> list[PlannedItem]:
    """Return the memories of those items that were asked, in days from today."""
    return [
        PlannedItem(
            *("", ""),
            memory=MemoryState(each.stability, each.difficulty),
            last=min(0, (each.last_day - present.today).days),
            due=max(0, (present.day_of(each.due) - present.today).days),
        )
        for each in items
        if each.stability is not None
        and each.difficulty is not None
        and each.last_day is not None
        and each.due is not None
    ]


class Load(NamedTuple):
    """A year to come under one retention; a value a day."""

    retention: float
    reviews: tuple[float, ...]  # the day's first answers to begun items
    minutes: tuple[float, ...]  # of all answers, learning and relearning steps among them
    held: float  # items that would be recalled at the end
    new_a_day: int = 0  # that begin on a usual day

    @property
    def minutes_a_day(self) -> float:
        """The mean of all days."""
        return sum(self.minutes) / len(self.minutes)

    @property
    def reviews_a_day(self) -> float:
        """The mean of all days."""
        return sum(self.reviews) / len(self.reviews)


def simulate_load(
    begun: Sequence[PlannedItem],
    *,
    new: int,
    new_a_day: int,
    learner: Learner,
    settings: SchedulingSettings,
    retention: float,
    today: date,
    seed: int = 0,
) -> Load:
    """Walk all items for a year, from `today` on.

    `new` items wait, of which `new_a_day` begin on a usual day. Where `retention` is not that of
    the settings, the next due days of begun items are planned anew for it, as the change does.
    """
    walk = Simulation(learner, settings, today, DAYS, retention=retention, seed=seed)
    all_starts = (
        day for day, share in enumerate(walk.shares) for _ in range(int(new_a_day * share))
    )
    starts = [*islice(all_starts, new)]
    items = len(begun) + len(starts)
    every, times = max(1, -(-items // _MOST)), max(1, min(_TIMES, _MOST // max(1, items)))
    sample, sampled_starts = begun[::every], starts[::every]
    walked: list[PlannedItem] = []
    for _ in range(times):
        for each in sample:
            walked.append(replace(each, weight=len(begun) / len(sample) / times))
            walk.add(walked[-1])
        for day in sampled_starts:
            weight = len(starts) / len(sampled_starts) / times
            walked.append(PlannedItem("", "", weight=weight))
            walk.wait(walked[-1], day)
    reviews, minutes = [0.0] * DAYS, [0.0] * DAYS
    for day, come in enumerate(walk.comes):
        for item in come:
            if walk.vacation[day]:
                walk.wait(item, day + 1)
                continue
            reviews[day] += item.weight * (not item.new)
            minutes[day] += item.weight * walk.answer(item, day).seconds / 60
    held = sum(each.weight * walk.recall(each, DAYS) for each in walked)
    return Load(retention, tuple(reviews), tuple(minutes), held, min(new, new_a_day))


def loads_ahead(
    items: Sequence[ItemNow],
    present: Present,
    learner: Learner,
    settings: SchedulingSettings,
    new_a_day: int,
) -> list[Load]:
    """Return the year to come under the desired retention, which is the first, and under others."""
    begun = begun_items(items, present)
    aims = dict.fromkeys((settings.desired_retention, *WHAT_IF))
    return [
        simulate_load(
            begun,
            new=len(items) - len(begun),
            new_a_day=new_a_day,
            learner=learner,
            settings=settings,
            retention=aim,
            today=present.today,
        )
        for aim in aims
    ]


def steady_learner(seconds: float, recalled: Shares) -> Learner:
    """Return a learner whose answers all take the same time, with the steps of many learners."""
    pace = Pace({"": seconds})
    return Learner(pace, 1.0, recalled=recalled, learning=LEARNING, relearning=RELEARNING)


def load_ahead(loads: Sequence[Load], today: date) -> Telling:
    """Minutes per day for a year, as things are set."""
    now = loads[0]
    yield [(today + timedelta(days=day), round(each, 2)) for day, each in enumerate(now.minutes)]
    month, later = sum(now.minutes[1:31]) / 30, sum(now.minutes[-30:]) / 30
    return (
        f"With {now.new_a_day} new items per day at {now.retention:.0%}, you need about {month:.0f}"
        f" min per day in the coming month and {later:.0f} min a year from now."
    )


def what_if(loads: Sequence[Load]) -> Telling:
    """Minutes and reviews per day, and what is held at the end, by desired retention."""
    now, *others = loads
    yield [
        (
            f"{e.retention:.0%}",
            round(e.minutes_a_day, 2),
            round(e.reviews_a_day, 2),
            round(e.held, 1),
        )
        for e in sorted(loads, key=lambda each: each.retention)
    ]
    told = (
        f"You aim at {now.retention:.0%}; this takes about {written(round(now.minutes_a_day, 1))}"
    )
    told += " min per day."
    costs = []
    for each in others if now.minutes_a_day else ():
        share = each.minutes_a_day / now.minutes_a_day - 1
        more = f"{abs(share):.0%} {'less' if share < 0 else 'more'}"
        costs.append(f"at {each.retention:.0%}, it would take {more}")
    if costs:
        told += f" A{'; '.join(costs)[1:]}. Change it in the settings (`desired_retention`)."
    return told
