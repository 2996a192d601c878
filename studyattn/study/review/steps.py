"""The learner's progress in drills in steps, for the plan of a day.

A step has passed when an attempt since the drill's last rating said so; `grading.steps` is where it
is said. The reports of attempts are the truth, so nothing else is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from studyattn.store.queries.queue import steps_reached
from studyattn.store.queries.settings import KeptDrill
from studyattn.store.sql import Connection as Readable


@dataclass(frozen=True)
class StepsProgress:
    """A drill in steps: how many passed on days before this one, and by now."""

    drill: KeptDrill
    before: int = 0
    now: int = 0

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """The share of the drill's time that each step takes."""
        minutes = [each.minutes for each in self.drill.steps]
        return tuple(each / sum(minutes) for each in minutes)

    @property
    def left(self) -> tuple[float, ...]:
        """The share of the drill's time of each step that did not pass; none is left to rate it."""
        return self.shares[self.now :] or (0.0,)

    @property
    def today(self) -> float:
        """The share of what passed today."""
        return sum(self.shares[self.before : self.now])

    @property
    def rest(self) -> float:
        """The share of what did not pass before today."""
        return sum(self.shares[self.before :])

    @property
    def next(self) -> str:
        """The step that comes next, with its place: `3/5 weigh the keys`; '' if none is left."""
        steps = self.drill.steps
        if self.now == len(steps):
            return ""
        return f"{self.now + 1}/{len(steps)} {steps[self.now].title}"


def read_progress(
    connection: Readable, drills: Mapping[str, KeptDrill], today: date
) -> dict[str, StepsProgress]:
    """Return the progress in each of these drills that has steps, by guid."""
    found = {guid: StepsProgress(drill) for guid, drill in drills.items() if drill.steps}
    for each in steps_reached(connection, list(found), today):
        if each.rated is not None and each.day <= each.rated:
            continue
        known = found[each.guid]
        most = len(known.drill.steps)
        now = max(known.now, most if each.verdict == "passed" else min(each.passed or 0, most))
        before = now if each.day < today else known.before
        found[each.guid] = StepsProgress(known.drill, before, now)
    return found
