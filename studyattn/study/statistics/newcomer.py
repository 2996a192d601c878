"""The simulation of a newcomer, for an installed pack and the settings in force."""

from __future__ import annotations

from studyattn.errors import NotFoundError
from studyattn.memory.order import DayLimits
from studyattn.memory.state import drill_id
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import Pack, PackItem
from studyattn.packs.read import load_pack
from studyattn.study.profile import Profile
from studyattn.study.rules.budget import drill_kind
from studyattn.study.settings import Settings
from studyattn.study.statistics.workload_simulation import SimulatedItem, Simulation, simulate

DAYS = 120


def simulate_newcomer(profile: Profile, *, days: int = DAYS, seed: int = 0) -> Simulation:
    """Simulate a newcomer in the first installed pack. Reads no review and writes nothing.

    Raises NotFoundError without a pack, PackError for one that cannot be read.
    """
    folders = installed_packs(profile.home)
    if not folders:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    pack = load_pack(folders[0])
    return simulate(
        [simulated(pack, item) for item in pack.items()],
        pack.path,
        [(each.slug, first) for each in pack.concepts.values() for first in each.requires],
        profile.scheduler,
        limits(profile.settings),
        budget=profile.settings.budget,
        days=days,
        seed=seed,
    )


def simulated(pack: Pack, item: PackItem) -> SimulatedItem:
    """Return an item of the pack with the kind that its time depends on."""
    if item.card is not None:
        return SimulatedItem(item.guid, item.concept, item.card.kind.name, item.sibling_group)
    level = pack.drills[drill_id(item.guid)].level
    return SimulatedItem(item.guid, item.concept, drill_kind(level))


def limits(settings: Settings) -> DayLimits:
    """Return the limits of a whole day."""
    return DayLimits(
        new=settings.new_per_day,
        reviews=settings.reviews_per_day,
        drills=settings.drills_per_day,
    )
