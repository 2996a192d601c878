"""A newcomer's way through a pack, day by day: how long a day takes, when each concept is known.

The simulation of `rules.evenings`, with a learner of whom nothing is known yet. What a day costs
rests on `rules.pace`, which is an assumption about learners and not a measurement. Drills are
passed as often as a card is recalled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from studyattn.errors import NotFoundError
from studyattn.grouping import grouped
from studyattn.memory import SchedulingSettings
from studyattn.memory.state import is_drill
from studyattn.study.concepts.goals import new_items
from studyattn.study.concepts.path import read_path
from studyattn.study.profile import Profile
from studyattn.study.review.pace import Estimator
from studyattn.study.rules.evenings import Evenings, SimulatedDay, Wishes
from studyattn.study.rules.pace import Pace, is_drill_kind, usual_seconds
from studyattn.study.rules.simulation import Learner, PlannedItem

_ASSUMED = Learner()
FIRST_DAY = date(2026, 1, 5)  # unless another is given


class ConceptPath(NamedTuple):
    """The days on which a concept was met and became known; None: not within the simulation."""

    slug: str
    pack: str
    met: int | None
    known: int | None


class NewcomersWay(NamedTuple):
    """A newcomer's way."""

    days: tuple[SimulatedDay, ...]
    concepts: tuple[ConceptPath, ...]  # along the path
    drills: Mapping[str, int]  # the day on which each was first written, by guid
    longest_wait: int = 0  # study days that a drill waited

    @property
    def all_met(self) -> int | None:
        """The day on which the last concept of all packs was met."""
        return self.met_of({each.pack for each in self.concepts})

    def met_of(self, packs: Collection[str]) -> int | None:
        """Return the day on which the last concept of these packs was met."""
        met = [each.met for each in self.concepts if each.pack in packs]
        return None if None in met else max((day for day in met if day is not None), default=0)

    @property
    def longest(self) -> float:
        """Minutes of the longest day."""
        return max((day.minutes for day in self.days), default=0.0)

    @property
    def average(self) -> float:
        """Minutes a day until the last concept is met, or over all days."""
        days = self.days[: self.all_met]
        return sum(day.minutes for day in days) / len(days) if days else 0.0


def simulate_newcomers(
    profile: Profile,
    *,
    days: int,
    seeds: Iterable[int],
    drill_pace: float,
    minutes: int | None,
) -> list[NewcomersWay]:
    """Simulate newcomers in the packs that are taught, one a seed.

    They take `drill_pace` times as long as assumed for a drill, and want to study `minutes` a day,
    0 for no limit; None is what the settings say. They begin today, so easy days and vacations of
    the settings fall on their own dates. Reads no review and writes nothing. Raises NotFoundError
    without a pack.
    """
    settings, items = profile.settings, unseen_items(profile)
    if not items:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    budget = settings.budget if minutes is None else 60.0 * minutes
    return [
        simulate(
            items,
            Wishes(settings.day_limits, budget),
            settings.scheduling,
            days=days,
            seed=seed,
            learner=Learner(slower(drill_pace)),
            first=profile.today(),
        )
        for seed in seeds
    ]


def unseen_items(profile: Profile) -> list[PlannedItem]:
    """Return the items of the packs in the order of learning, as a newcomer has them."""
    path = read_path(profile, newcomer=True)
    with profile.database.read() as connection:
        estimator = Estimator(connection, lessons=profile.settings.lessons, today=profile.today())
        items = new_items(connection, profile, estimator, path)
        return [replace(each, due=0, passed=0) for each in items]


def slower(drill_pace: float) -> Pace:
    """Return the assumed times, drills so many times as long."""
    usual = usual_seconds().items()
    return Pace({kind: each * (drill_pace if is_drill_kind(kind) else 1) for kind, each in usual})


def simulate(
    items: Sequence[PlannedItem],
    wishes: Wishes,
    settings: SchedulingSettings,
    *,
    days: int,
    seed: int,
    learner: Learner = _ASSUMED,
    first: date = FIRST_DAY,
) -> NewcomersWay:
    """Simulate `days` days of a newcomer, from `first` on.

    Items come in the order in which they are learned. Of the wishes, those of a usual day, the
    settings say which days get less.
    """
    way = Evenings(items, wishes, learner, settings, first, days, seed=seed)
    guids = grouped((item.concept, item.guid) for item in items)
    known: dict[str, int] = {}
    passed = []
    for day in range(days):
        passed.append(way.study(day))
        for name in guids.keys() - known.keys():
            if all(map(way.is_held, guids[name])):
                known[name] = day + 1
    met = {name: day + 1 for name, day in way.met.items()}
    return NewcomersWay(
        tuple(passed),
        tuple(
            ConceptPath(slug, own[0].partition(":")[0], met.get(slug), known.get(slug))
            for slug, own in guids.items()
        ),
        {guid: day + 1 for guid, day in way.first.items() if is_drill(guid)},
        max((wait for wait, *_ in way.waits), default=0),
    )
