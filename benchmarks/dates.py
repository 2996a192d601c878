"""The dates that `path` gives, beside the days on which it happens, for simulated learners.

Each learner is simulated until the end of the path, with times that vary, a drill pace and a recall
of their own that only their answers tell, and planned by the pace that these show. On the mornings
of days 5, 10 and 20 the estimator is asked as `path` asks it. `--seeds N` simulates N of each kind.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from studyattn.home import Home
from studyattn.lm.parts import GPT
from studyattn.memory import Rating, SchedulingSettings
from studyattn.study.profile import open_profile
from studyattn.study.rules.evenings import (
    Evenings,
    Recall,
    SimulatedDay,
    SoFar,
    Wishes,
    between,
    first_days,
    likely_learners,
    reached,
)
from studyattn.study.rules.pace import SPREADS, Times, is_drill_kind
from studyattn.study.rules.simulation import Answered, Learner, PlannedItem
from studyattn.study.settings import Settings
from studyattn.study.statistics.newcomer import FIRST_DAY, slower, unseen_items

ASKED = (5, 10, 20)
"""Days on whose mornings the estimator is asked."""

PACES, RECALLS, MINUTES = (1, 2, 3), (0.80, 0.85, 0.90, 0.95), (10, 20, 30)
LONGEST = 500  # days

Ranges = dict[str, tuple[int, float]]


@cache
def _pack() -> tuple[list[PlannedItem], dict[str, list[str]]]:
    """Return the items of the attention pack, and those of each goal."""
    with TemporaryDirectory() as folder, open_profile(Home(Path(folder) / "home")) as profile:
        items = [each for each in unseen_items(profile) if each.guid.startswith("attention:")]
    goals = {
        "multi-head attention": ["attention:drill/multi-head-attention"],
        "the parts of the GPT": [f"attention:drill/{each}" for each in GPT.all_drills.values()],
        "the end": [each.guid for each in items],
    }
    return items, goals


@dataclass(frozen=True, slots=True)
class Varying(Learner):
    """A learner whose times vary as the estimator thinks they do."""

    def seconds(self, kind: str, draw: Random, *, new: bool) -> float:
        spread = SPREADS[is_drill_kind(kind)].answers
        return Learner.seconds(self, kind, draw, new=new) * math.exp(draw.gauss(0, spread))


class World(Evenings):
    """A learner from the first day on, and what their log would tell."""

    def __init__(self, pace: int, recall: float, minutes: int, seed: int) -> None:
        self.wishes = Wishes(Settings().day_limits, 60.0 * minutes)
        learner = Varying(slower(pace), forgets=math.log(recall) / math.log(0.9))
        name = f"{pace} {recall} {minutes} {seed}"
        super().__init__(
            *(_pack()[0], self.wishes, learner, SchedulingSettings(), FIRST_DAY, LONGEST),
            seed=name,
        )
        self.times, self.forecasts, self.recalled = Times(), list[float](), 0

    def study(self, day: int) -> SimulatedDay:
        self._pace = self.times.pace()
        return super().study(day)

    def answer(self, item: PlannedItem, day: int) -> Answered:
        new, forecast = item.memory is None, self.recall(item, day)
        told = super().answer(item, day)
        if not new:
            self.forecasts.append(forecast)
            self.recalled += told.rating is not Rating.AGAIN
        return told

    def _took(self, told: Answered, *, new: bool) -> None:
        before = told.seconds
        super()._took(told, new=new)
        kind = told.item.kind
        self.times.add(kind, told.seconds - before, new and is_drill_kind(kind))

    def estimated(self, day: int) -> Ranges:
        """Return the range of days of each goal ahead, as estimated on the morning of a day."""
        items = list(self._now(day))
        new = {each.guid for each in items if each.new}
        recall = Recall.of(self.forecasts, self.recalled)
        so_far, today = SoFar(tuple(self._studied)), FIRST_DAY + timedelta(days=day)
        learners = likely_learners(Learner(self.times.pace()), recall)
        days = first_days(learners, items, self.wishes, SchedulingSettings(), today, so_far)
        found: Ranges = {}
        for goal, guids in _pack()[1].items():
            if ahead := new & set(guids):
                first, last = between(reached(days, ahead))
                found[goal] = day + first, math.inf if last is None else day + last
        return found

    def _now(self, day: int) -> Iterator[PlannedItem]:
        for item in _pack()[0]:
            walked = self.walked[item.guid]
            if not walked.new:
                known = replace(item, memory=walked.memory, last=walked.last - day)
                yield replace(known, due=walked.due - day)
            elif item.guid in self._drills:
                yield replace(item, due=walked.due - day)
            else:
                yield item


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranges that one learner was given, by the day of asking, and the days that it took."""

    kind: tuple[int, float, int]
    told: dict[int, Ranges]
    real: dict[str, float]
    waits: list[tuple[int, bool]]  # study days that a drill waited, and whether it was new


def one_learner(pace: int, recall: float, minutes: int, seed: int) -> Outcome:
    """Simulate one learner."""
    world, told = World(pace, recall, minutes, seed), dict[int, Ranges]()
    for day in range(LONGEST):
        if day + 1 in ASKED:
            told[day + 1] = world.estimated(day)
        world.study(day)
        if world.all_begun:
            break
    real = {
        goal: max(world.first.get(guid, math.inf) for guid in guids)
        for goal, guids in _pack()[1].items()
    }
    waits = [(waited, new) for waited, _, new in world.waits]
    return Outcome((pace, recall, minutes), told, real, waits)


def main() -> None:
    """Print how often the ranges hold the day, and how wide they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    seeds = range(parser.parse_args().seeds)
    learners = list(zip(*product(PACES, RECALLS, MINUTES, seeds), strict=True))
    with ProcessPoolExecutor() as pool:
        outcomes = list(pool.map(one_learner, *learners))
    held: defaultdict[str, list[tuple[bool, float]]] = defaultdict(list)
    for outcome in outcomes:
        pace, recall, minutes = outcome.kind
        for asked, ranges in outcome.told.items():
            for goal, (first, last) in ranges.items():
                fact = first <= outcome.real[goal] <= last, last - first + 1
                groups = ("all", f"asked on day {asked}", goal, f"drill pace {pace}")
                for group in (*groups, f"recall {recall:.0%}", f"{minutes} min per day"):
                    held[group].append(fact)
    for group, facts in held.items():
        share = sum(hit for hit, _ in facts) / len(facts)
        width = median(width for _, width in facts)
        print(f"{group:22} {len(facts):5} ranges, {share:.0%} hold, median {width:.0f} days wide")
    for new in (True, False):
        waits = [days for outcome in outcomes for days, is_new in outcome.waits if is_new == new]
        late = sum(days > 3 for days in waits) / len(waits)
        words = "new" if new else "due"
        print(
            f"{words} drills: {len(waits)}, waited {max(waits)} study days at most, "
            f"{late:.1%} longer than three"
        )


if __name__ == "__main__":
    main()
