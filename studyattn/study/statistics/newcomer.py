"""A newcomer's way through a pack, day by day: how long a day takes, when each concept is known.

The simulation of `rules.evenings`, with a learner of whom nothing is known yet. What a day costs
rests on `rules.pace`, which is an assumption about learners and not a measurement. Drills are
passed as often as a card is recalled.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from studyattn.errors import NotFoundError
from studyattn.grouping import grouped
from studyattn.memory import SchedulingSettings
from studyattn.memory.order import in_learning_order
from studyattn.memory.state import drill_guid, drill_id, is_drill
from studyattn.packs.locate import pack_folders, place_of, share_of, taught_after
from studyattn.packs.model import Pack, card_id
from studyattn.packs.pages import reading_before, reading_seconds
from studyattn.packs.read import load_pack
from studyattn.packs.sync import APART, STEP
from studyattn.study.profile import Profile
from studyattn.study.rules.evenings import Evenings, SimulatedDay, Wishes
from studyattn.study.rules.pace import Pace, drill_kind
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
    without a pack, PackError for one that cannot be read.
    """
    order, settings = profile.settings.packs, profile.settings
    packs = [
        TaughtPack(load_pack(folder).toward(settings.goal), place, share_of(name, order))
        for name, folder in pack_folders(profile.home).items()
        if (place := place_of(name, order, taught_after(folder))) is not None
    ]
    if not packs:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    items = planned_items(*packs)
    budget = settings.budget if minutes is None else 60.0 * minutes
    return [
        simulate(
            items,
            Wishes(settings.day_limits, budget),
            settings.scheduling,
            days=days,
            seed=seed,
            learner=Learner(slower(drill_pace)),
            lessons=settings.lessons,
            first=profile.today(),
        )
        for seed in seeds
    ]


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


class TaughtPack(NamedTuple):
    """A pack and its place among those that are taught, as `packs.sync` has them."""

    pack: Pack
    place: int = 0
    share: int = 1


def planned_items(*packs: TaughtPack) -> list[PlannedItem]:
    """Return the items of packs as they are learned, with what their time depends on.

    Their concepts are named `pack:slug`.
    """
    found = []
    for pack, place, share in packs:
        ranks = _ranks(pack)
        for item in _items_of(pack):
            rank = ranks[item.concept.partition(":")[2]]
            found.append((place * APART + rank * STEP // share, item))
    return [item for _, item in sorted(found, key=operator.itemgetter(0))]


def _items_of(pack: Pack) -> Iterator[PlannedItem]:
    reading, items = reading_before(pack), list(pack.items())
    cards: dict[str, set[str]] = {}
    for item in items:
        if item.card is not None:
            cards.setdefault(item.concept, set()).add(item.guid)
    for item in items:
        guid, concept = item.guid, pack.concepts[item.concept]
        name = f"{pack.id}:{concept.slug}"
        if item.card is None:
            brief = pack.drills[drill_id(guid)]
            needed = {drill_guid(pack.id, each) for each in brief.requires}
            before = frozenset(needed | cards.get(item.concept, set()))
            minutes = [each.minutes for each in brief.steps] or [1]
            shares = tuple(each / sum(minutes) for each in minutes)
            kind = drill_kind(brief.level)
            yield PlannedItem(guid, kind, name, before=before, shares=shares)
            continue
        until = concept.page_before(card_id(guid)) + 1 if concept.pages else 0
        pages = tuple(map(reading_seconds, concept.pages[:until]))
        known = (guid, item.card.kind.name, name, item.sibling_group)
        yield PlannedItem(*known, reading=reading.get(guid, 0.0), pages=pages)


def _ranks(pack: Pack) -> dict[str, int]:
    """Return the places of the concepts along the path, what they require before them."""
    order = in_learning_order(pack.path, lambda slug: pack.concepts[slug].requires)
    return {slug: rank for rank, slug in enumerate(order)}


def simulate(
    items: Sequence[PlannedItem],
    wishes: Wishes,
    settings: SchedulingSettings,
    *,
    days: int,
    seed: int,
    learner: Learner = _ASSUMED,
    lessons: bool = True,
    first: date = FIRST_DAY,
) -> NewcomersWay:
    """Simulate `days` days of a newcomer, from `first` on.

    Items come in the order in which they are learned. Of the wishes, those of a usual day, the
    settings say which days get less. Without `lessons` no page is read.
    """
    way = Evenings(items, wishes, learner, settings, first, days, lessons=lessons, seed=seed)
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
        tuple(_concept(name, met.get(name), known.get(name)) for name in guids),
        {guid: day + 1 for guid, day in way.first.items() if is_drill(guid)},
        max((wait for wait, *_ in way.waits), default=0),
    )


def _concept(name: str, met: int | None, known: int | None) -> ConceptPath:
    pack, _, slug = name.partition(":")
    return ConceptPath(slug, pack, met, known)
