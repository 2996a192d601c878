"""A newcomer's way through the built-in pack with the default settings."""

from __future__ import annotations

import pytest

from studyattn.bundled import content_dir
from studyattn.lm.parts import DRILLS
from studyattn.memory import Scheduler
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack
from studyattn.study.rules.budget import usual_seconds
from studyattn.study.settings import Settings
from studyattn.study.statistics.newcomer import limits, simulated_items
from studyattn.study.statistics.workload_simulation import Effort, Simulation, recall, simulate

DEFAULTS = Settings()


def newcomer(pack: Pack, seed: int, days: int = 42, effort: Effort | None = None) -> Simulation:
    return simulate(
        simulated_items(pack),
        pack.path,
        [(each.slug, first) for each in pack.concepts.values() for first in each.requires],
        Scheduler(),
        limits(DEFAULTS),
        budget=DEFAULTS.budget,
        days=days,
        seed=seed,
        effort=effort,
    )


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(content_dir() / "attention")


@pytest.mark.parametrize("seed", range(5))
def test_no_day_takes_more_than_25_minutes_and_the_core_is_met_in_30_days(
    pack: Pack, seed: int
) -> None:
    way = newcomer(pack, seed, days=84)
    assert way.longest <= 25
    core = [each.met for each in way.concepts if pack.concepts[each.slug].core]
    assert all(met is not None and met <= 30 for met in core)
    assert way.all_met is not None
    assert all(day.new <= DEFAULTS.new_per_day for day in way.days)
    assert way.before_lesson == ()
    assert sum(day.drills for day in way.days) > 21


@pytest.mark.parametrize("seed", range(5))
def test_attention_is_written_in_a_week_and_what_decoding_needs_in_three(
    pack: Pack, seed: int
) -> None:
    drills = newcomer(pack, seed, days=28).drills
    first = {guid.rpartition("/")[2]: day for guid, day in drills.items()}
    assert first["dot-product"] <= 2
    assert first["attention"] <= 7
    assert first["causal-attention"] <= 14
    assert first["kv-cache"] <= 21
    for brief in pack.drills.values():
        if brief.id in first:
            assert all(first[each] <= first[brief.id] for each in brief.requires)


@pytest.mark.parametrize("seed", range(5))
def test_every_part_of_the_gpt_is_written_in_six_weeks(pack: Pack, seed: int) -> None:
    drills = newcomer(pack, seed, days=45).drills
    first = {guid.rpartition("/")[2]: day for guid, day in drills.items()}
    assert set(DRILLS.values()) <= first.keys()


def test_a_slow_learner_gets_fewer_new_cards_and_not_longer_days(pack: Pack) -> None:
    usual = newcomer(pack, 1)
    slow = newcomer(
        pack, 1, effort=Effort({kind: 1.4 * each for kind, each in usual_seconds().items()})
    )
    assert sum(day.new for day in slow.days) < sum(day.new for day in usual.days)
    assert slow.longest <= 27


def test_pages_are_read_before_the_cards_that_they_prepare_for(pack: Pack) -> None:
    items = simulated_items(pack)

    def first_day(*, lessons: bool) -> Simulation:
        return simulate(
            items,
            pack.path,
            [],
            Scheduler(),
            limits(DEFAULTS),
            budget=0,
            days=1,
            seed=0,
            lessons=lessons,
        )

    way, without = first_day(lessons=True), first_day(lessons=False)
    assert way.before_lesson == ()
    assert len(without.before_lesson) == DEFAULTS.new_per_day
    assert way.longest > without.longest + 5


def test_the_same_seed_is_the_same_way(pack: Pack) -> None:
    assert newcomer(pack, 5, days=10) == newcomer(pack, 5, days=10)
    assert newcomer(pack, 5, days=10) != newcomer(pack, 6, days=10)


def test_the_forgetting_curve_is_at_90_percent_after_the_stability() -> None:
    assert recall(0, 7, Scheduler()) == 1
    assert recall(7, 7, Scheduler()) == pytest.approx(0.9)
