"""A newcomer's way through the built-in pack with the default settings."""

from __future__ import annotations

import pytest

from studyattn.bundled import content_dir
from studyattn.memory import Scheduler
from studyattn.memory.order import Limits
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack
from studyattn.study.newcomer import simulated
from studyattn.study.settings import SETTINGS
from studyattn.study.simulation import Simulation, recall, simulate

DEFAULTS = {setting.key: setting.default for setting in SETTINGS}


def newcomer(pack: Pack, seed: int, days: int = 40) -> Simulation:
    limits = Limits(*(DEFAULTS[f"{kind}_per_day"] for kind in ("new", "reviews", "drills")))
    requires = [(each.slug, first) for each in pack.concepts.values() for first in each.requires]
    items = [simulated(pack, item) for item in pack.items()]
    return simulate(items, pack.path, requires, Scheduler(), limits, days=days, seed=seed)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(content_dir() / "attention")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cards_take_at_most_25_minutes_and_all_concepts_are_met_in_four_weeks(
    pack: Pack, seed: int
) -> None:
    way = newcomer(pack, seed)
    assert max(day.card_minutes for day in way.days) <= 25
    assert way.all_met is not None
    assert 21 <= way.all_met <= 30
    assert all(day.new <= DEFAULTS["new_per_day"] for day in way.days)


def test_the_same_seed_is_the_same_way(pack: Pack) -> None:
    assert newcomer(pack, 5, days=10) == newcomer(pack, 5, days=10)
    assert newcomer(pack, 5, days=10) != newcomer(pack, 6, days=10)


def test_the_forgetting_curve_is_at_90_percent_after_the_stability() -> None:
    assert recall(0, 7, Scheduler()) == 1
    assert recall(7, 7, Scheduler()) == pytest.approx(0.9)
