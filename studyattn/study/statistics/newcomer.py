"""A newcomer's way through a pack, day by day: how long a day takes, when each concept is known.

The simulation of `rules.evenings`, with a learner of whom nothing is known yet. What a day costs
rests on `rules.pace`, which is an assumption about learners and not a measurement. Drills are
passed as often as a card is recalled.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from studyattn.errors import NotFoundError
from studyattn.memory import SchedulingSettings
from studyattn.memory.order import concept_ranks
from studyattn.memory.state import drill_guid, drill_id, is_drill
from studyattn.packs.check import terms
from studyattn.packs.locate import pack_folders, place_of, taught_after
from studyattn.packs.model import Pack, card_id
from studyattn.packs.pages import reading_before, reading_seconds
from studyattn.packs.read import load_pack
from studyattn.study.profile import Profile
from studyattn.study.rules.evenings import Evenings, PlannedItem, SimulatedDay, Wishes
from studyattn.study.rules.pace import Pace, drill_kind
from studyattn.study.rules.simulation import Learner

DAYS = 120
FIRST_DAY = date(2026, 1, 5)  # unless another is given


@dataclass(frozen=True, slots=True)
class ConceptPath:
    """The days on which a concept was met and became known; None: not within the simulation."""

    slug: str
    met: int | None
    known: int | None


@dataclass(frozen=True, slots=True)
class NewcomersWay:
    """A newcomer's way."""

    days: tuple[SimulatedDay, ...]
    concepts: tuple[ConceptPath, ...]  # along the path
    drills: Mapping[str, int]  # the day on which each was first written, by guid
    longest_wait: int = 0  # study days that a drill waited
    before_lesson: tuple[str, ...] = ()  # guids of cards that were asked before a page for them
    before_concept: tuple[str, ...] = ()  # uses of a term before the concept that introduces it

    @property
    def all_met(self) -> int | None:
        """The day on which the last concept was met."""
        met = [each.met for each in self.concepts]
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
    days: int = DAYS,
    seeds: Iterable[int] = (0,),
    drill_pace: float = 1.0,
    minutes: int | None = None,
) -> list[NewcomersWay]:
    """Simulate newcomers in the pack that is taught first, one a seed; its order is checked.

    They take `drill_pace` times as long as assumed for a drill, and want to study `minutes` a day,
    0 for no limit; None is what the settings say. They begin today, so easy days and vacations of
    the settings fall on their own dates. Reads no review and writes nothing. Raises NotFoundError
    without a pack, PackError for one that cannot be read.
    """
    order, settings = profile.settings.packs, profile.settings
    places = [
        (place, folder)
        for name, folder in pack_folders(profile.home).items()
        if (place := place_of(name, order, taught_after(folder))) is not None
    ]
    if not places:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    pack = load_pack(min(places, key=operator.itemgetter(0))[1]).toward(settings.goal)
    items, too_early = planned_items(pack), tuple(map(str, terms.check(pack)))
    budget = settings.budget if minutes is None else 60.0 * minutes
    ways = (
        simulate(
            items,
            pack.path,
            Wishes(settings.day_limits, budget),
            settings.scheduling,
            days=days,
            seed=seed,
            learner=Learner(slower(drill_pace)),
            lessons=settings.lessons,
            first=profile.today(),
        )
        for seed in seeds
    )
    return [replace(way, before_concept=too_early) for way in ways]


def slower(drill_pace: float) -> Pace:
    """Return the assumed times, drills so many times as long."""
    usual = Pace()
    return replace(
        usual,
        seconds={
            kind: seconds * (drill_pace if kind.startswith("drill-") else 1.0)
            for kind, seconds in usual.seconds.items()
        },
    )


def planned_items(pack: Pack) -> list[PlannedItem]:
    """Return the items of the pack as they are learned, with what their time depends on."""
    reading, items = reading_before(pack), list(pack.items())
    cards: dict[str, set[str]] = {}
    for item in items:
        if item.card is not None:
            cards.setdefault(item.concept, set()).add(item.guid)
    found = []
    for item in items:
        guid, concept = item.guid, pack.concepts[item.concept]
        if item.card is None:
            brief = pack.drills[drill_id(guid)]
            needed = {drill_guid(pack.id, each) for each in brief.requires}
            before = frozenset(needed | cards.get(item.concept, set()))
            minutes = [each.minutes for each in brief.steps] or [1]
            shares = tuple(each / sum(minutes) for each in minutes)
            kind = drill_kind(brief.level)
            found.append(PlannedItem(guid, kind, concept.slug, before=before, shares=shares))
            continue
        until = concept.page_before(card_id(guid)) + 1 if concept.pages else 0
        pages = tuple(map(reading_seconds, concept.pages[:until]))
        known = (guid, item.card.kind.name, concept.slug, item.sibling_group)
        found.append(PlannedItem(*known, reading=reading.get(guid, 0.0), pages=pages))
    ranks = _ranks(pack)
    return sorted(found, key=lambda item: ranks[item.concept])


def _ranks(pack: Pack) -> dict[str, int]:
    """Return the places of the concepts along the path, what they require before them."""
    places = {slug: place for place, slug in enumerate(pack.path)}
    requires = [
        (places[each.slug], places[first])
        for each in pack.concepts.values()
        for first in each.requires
    ]
    ranks = concept_ranks({place: place for place in places.values()}, requires)
    return {slug: ranks[place] for slug, place in places.items()}


def simulate(
    items: Sequence[PlannedItem],
    path: Sequence[str],
    wishes: Wishes,
    settings: SchedulingSettings,
    *,
    days: int,
    seed: int,
    learner: Learner | None = None,
    lessons: bool = True,
    first: date = FIRST_DAY,
) -> NewcomersWay:
    """Simulate `days` days of a newcomer, from `first` on.

    `path` are the concepts in learning order, and items come in that order. Of the wishes, those of
    a usual day, the settings say which days get less. Without `lessons` no page is read.
    """
    way = Evenings(
        items, wishes, learner or Learner(), settings, first, days, lessons=lessons, seed=seed
    )
    guids = {slug: [item.guid for item in items if item.concept == slug] for slug in path}
    known: dict[str, int] = {}
    passed = []
    for day in range(days):
        passed.append(way.study(day))
        for slug in guids.keys() - known.keys():
            if guids[slug] and all(map(way.is_held, guids[slug])):
                known[slug] = day + 1
    met = {slug: day + 1 for slug, day in way.met.items()}
    return NewcomersWay(
        tuple(passed),
        tuple(ConceptPath(each, met.get(each), known.get(each)) for each in path),
        {guid: day + 1 for guid, day in way.first.items() if is_drill(guid)},
        max((wait for wait, *_ in way.waits), default=0),
        tuple(way.before_lesson),
    )
