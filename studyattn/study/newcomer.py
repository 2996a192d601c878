"""The simulation of a newcomer, for an installed pack and the settings in force."""

from __future__ import annotations

from studyattn.errors import NotFoundError
from studyattn.memory.order import Limits
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import Pack, PackItem
from studyattn.packs.read import load_pack
from studyattn.study.budget import drill_kind
from studyattn.study.learner import Learner
from studyattn.study.settings import Settings
from studyattn.study.simulation import SimulatedItem, Simulation, simulate

DAYS = 120


def simulate_newcomer(learner: Learner, *, days: int = DAYS, seed: int = 0) -> Simulation:
    """A newcomer's way through the first installed pack. Reads no review and writes nothing.

    Raises NotFoundError without a pack, PackError for one that cannot be read.
    """
    folders = installed_packs(learner.home)
    if not folders:
        raise NotFoundError("no pack is installed", where=str(learner.home.root))
    pack = load_pack(folders[0])
    return simulate(
        [simulated(pack, item) for item in pack.items()],
        pack.path,
        [(each.slug, first) for each in pack.concepts.values() for first in each.requires],
        learner.scheduler,
        limits(learner.settings),
        budget=learner.settings.budget,
        days=days,
        seed=seed,
    )


def simulated(pack: Pack, item: PackItem) -> SimulatedItem:
    """An item of the pack with what its time depends on."""
    if item.card is not None:
        return SimulatedItem(item.guid, item.concept, item.card.kind.value, item.sibling_group)
    level = pack.drills[item.guid.partition(":drill/")[2]].level
    return SimulatedItem(item.guid, item.concept, drill_kind(level))


def limits(settings: Settings) -> Limits:
    """What a whole day allows."""
    return Limits(
        new=settings.new_per_day,
        reviews=settings.reviews_per_day,
        drills=settings.drills_per_day,
    )
