"""The simulation of a newcomer, for an installed pack and the settings in force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from studyattn.errors import NotFoundError
from studyattn.memory.state import drill_guid, drill_id
from studyattn.packs.check import terms
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import Pack, PackItem, card_id
from studyattn.packs.pages import reading_before, reading_seconds
from studyattn.packs.read import load_pack
from studyattn.study.profile import Profile
from studyattn.study.rules.budget import drill_kind
from studyattn.study.statistics.workload_simulation import (
    Effort,
    SimulatedItem,
    Simulation,
    simulate,
)

DAYS = 120


def simulate_newcomers(
    profile: Profile,
    *,
    days: int = DAYS,
    seeds: Iterable[int] = (0,),
    drill_pace: float = 1.0,
    minutes: int | None = None,
) -> list[Simulation]:
    """Simulate newcomers in the first installed pack, one a seed; what they are taught is checked.

    They take `drill_pace` times as long as assumed for a drill, and want to study `minutes` a day,
    0 for no limit; None is what the settings say. They begin today, so easy days and vacations of
    the settings fall on their own dates. Reads no review and writes nothing. Raises NotFoundError
    without a pack, PackError for one that cannot be read.
    """
    folders = installed_packs(profile.home)
    if not folders:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    pack = load_pack(folders[0])
    items, too_early = simulated_items(pack), tuple(map(str, terms.check(pack)))
    ways = (
        simulate(
            items,
            pack.path,
            [(each.slug, first) for each in pack.concepts.values() for first in each.requires],
            profile.scheduler,
            profile.settings.day_limits,
            budget=profile.settings.budget if minutes is None else 60.0 * minutes,
            days=days,
            seed=seed,
            effort=Effort(drill_pace=drill_pace),
            lessons=profile.settings.lessons,
            first=profile.today(),
        )
        for seed in seeds
    )
    return [replace(way, before_concept=too_early) for way in ways]


def simulated_items(pack: Pack) -> list[SimulatedItem]:
    """Return the items of the pack in its order, with what their time and their place depend on."""
    reading = reading_before(pack)
    pages = {
        slug: tuple(map(reading_seconds, concept.pages)) for slug, concept in pack.concepts.items()
    }
    return [
        _simulated(pack, item, reading.get(item.guid, 0.0), pages[item.concept])
        for item in pack.items()
    ]


def _simulated(
    pack: Pack, item: PackItem, reading: float, pages: tuple[float, ...]
) -> SimulatedItem:
    if item.card is not None:
        kind, concept = item.card.kind.name, pack.concepts[item.concept]
        until = concept.page_before(card_id(item.guid)) + 1 if concept.pages else 0
        return SimulatedItem(
            item.guid, item.concept, kind, item.sibling_group, reading=reading, pages=pages[:until]
        )
    brief = pack.drills[drill_id(item.guid)]
    return SimulatedItem(
        item.guid,
        item.concept,
        drill_kind(brief.level),
        requires=tuple(drill_guid(pack.id, each) for each in brief.requires),
    )
