"""A newcomer's way through the built-in pack with the default settings."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.parts import GPT
from studyattn.memory import Rating, Scheduler, SchedulingSettings
from studyattn.memory.intervals import retrievability
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import set_state
from studyattn.study.concepts.explaining import explain
from studyattn.study.concepts.path import read_path
from studyattn.study.profile import open_profile
from studyattn.study.review import batch
from studyattn.study.rules.evenings import SimulatedDay, Wishes
from studyattn.study.rules.pace import Pace, usual_seconds
from studyattn.study.rules.simulation import Learner, PlannedItem
from studyattn.study.settings import Settings
from studyattn.study.statistics.newcomer import NewcomersWay, simulate, slower, unseen_items
from tests.conftest import FIRST_START

DEFAULTS = Settings()
LEARNER = Learner()
Items = list[PlannedItem]
WISHES = Wishes(DEFAULTS.day_limits, DEFAULTS.budget)


def newcomer(items: Items, seed: int, days: int = 42, learner: Learner = LEARNER) -> NewcomersWay:
    settings = SchedulingSettings()
    return simulate(items, WISHES, settings, days=days, seed=seed, learner=learner)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(content_dir() / "attention")


@pytest.fixture(scope="module")
def items(
    pack: Pack, _stocked_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[PlannedItem]:
    """The items of the first pack."""
    root = tmp_path_factory.mktemp("newcomer") / "home"
    with open_profile(Home(shutil.copytree(_stocked_file, root)), FixedClock(FIRST_START)) as own:
        return [each for each in unseen_items(own) if each.guid.startswith(f"{pack.id}:")]


@pytest.fixture(scope="module")
def ways(items: Items) -> list[NewcomersWay]:
    """Five newcomers in the days until all concepts are met."""
    return [newcomer(items, seed, days=98) for seed in range(5)]


def test_few_days_take_more_than_25_minutes(ways: list[NewcomersWay]) -> None:
    long = [day for way in ways for day in way.days if day.minutes > 25]
    assert len(long) <= 25  # of about 490
    assert all(day.drill_minutes >= 12 for day in long)  # with a drill that had waited


@pytest.mark.parametrize("seed", range(5))
def test_no_day_is_too_long_and_the_core_is_met_in_38_days(
    pack: Pack, ways: list[NewcomersWay], seed: int
) -> None:
    way = ways[seed]
    assert way.longest <= 33
    core = [each.met for each in way.concepts if pack.concepts[each.slug].core]
    assert all(met is not None and met <= 38 for met in core)
    assert way.all_met is not None
    assert all(day.new <= DEFAULTS.new_per_day for day in way.days)
    assert sum(day.drills for day in way.days) > 21


@pytest.mark.parametrize("seed", range(5))
def test_attention_is_written_in_eight_days_and_what_decoding_needs_in_three(
    pack: Pack, items: Items, seed: int
) -> None:
    drills = newcomer(items, seed, days=28).drills
    first = {guid.rpartition("/")[2]: day for guid, day in drills.items()}
    assert first["dot-product"] <= 2
    assert first["attention"] <= 8
    assert first["causal-attention"] <= 14
    assert first["kv-cache"] <= 21
    for brief in pack.drills.values():
        if brief.id in first:
            assert all(first[each] <= first[brief.id] for each in brief.requires)


@pytest.mark.parametrize("seed", range(5))
def test_every_part_of_the_gpt_is_written_by_day_34(pack: Pack, items: Items, seed: int) -> None:
    drills = newcomer(items, seed, days=40).drills
    assert max(drills[f"{pack.id}:drill/{each}"] for each in GPT.all_drills.values()) <= 34


def test_who_needs_much_longer_for_drills_writes_them_all_the_same(
    pack: Pack, items: Items
) -> None:
    """Before drills waited for three days at most: day 91 to 121 at pace 2, never at pace 3."""
    for pace, latest in ((2, 28), (3, 32)):
        way = newcomer(items, 1, learner=Learner(slower(pace)))
        assert way.drills[f"{pack.id}:drill/multi-head-attention"] <= latest
    usual = newcomer(items, 1).days[0]
    assert way.days[0].drill_minutes == pytest.approx(3 * usual.drill_minutes)


@pytest.mark.parametrize("pace", [1, 2, 3])
def test_no_drill_waits_longer_than_three_study_days(items: Items, pace: int) -> None:
    for seed, forgets in ((0, 1.0), (1, 2.1), (2, 0.5)):  # 90, 80 and 95 percent recalled
        learner = Learner(slower(pace), forgets=forgets)
        way = newcomer(items, seed, days=120, learner=learner)
        assert 0 < way.longest_wait <= 3


def test_a_slow_learner_gets_fewer_new_cards_and_not_longer_days(items: Items) -> None:
    usual = newcomer(items, 1)
    slow = newcomer(
        items, 1, learner=Learner(Pace({k: 1.4 * each for k, each in usual_seconds().items()}))
    )
    assert sum(day.new for day in slow.days) < sum(day.new for day in usual.days)
    assert slow.longest <= 33  # with a drill that had waited three days


def test_pages_are_read_before_the_cards_that_they_prepare_for(items: Items) -> None:
    def first_day(items: Items) -> NewcomersWay:
        wishes, settings = Wishes(DEFAULTS.day_limits, 0), SchedulingSettings()
        return simulate(items, wishes, settings, days=1, seed=0)

    way, without = first_day(items), first_day([replace(each, reading=0.0) for each in items])
    assert way.longest > without.longest + 5


def test_what_was_learned_and_said_is_new_to_a_newcomer(stocked_home: Home) -> None:
    with open_profile(stocked_home, FixedClock(FIRST_START)) as profile:
        before = unseen_items(profile)
        for slug, state in (("softmax", "known"), ("kv-cache", "known-unknown")):
            set_state(profile, slug, state)
        batch.answer(profile, before[0].guid, Rating.GOOD)
        explain(profile, "dot-product", "", frozenset())
        assert read_path(profile).ahead[0].items[0].guid != before[0].guid
        assert unseen_items(profile) == before


def test_the_same_seed_is_the_same_way(items: Items) -> None:
    assert newcomer(items, 5, days=10) == newcomer(items, 5, days=10)
    assert newcomer(items, 5, days=10) != newcomer(items, 6, days=10)


def test_the_forgetting_curve_is_at_90_percent_after_the_stability() -> None:
    parameters = Scheduler().settings.parameters
    assert retrievability(7, 0, parameters) == 1
    assert retrievability(7, 7, parameters) == pytest.approx(0.9)


def test_easy_days_a_vacation_and_the_balance_of_the_load_are_obeyed(items: Items) -> None:
    items = items[:200]
    away = range(9, 12)
    first = date(2026, 2, 2)  # a Monday

    def days(settings: SchedulingSettings) -> Sequence[SimulatedDay]:
        way = simulate(items, WISHES, settings, days=21, seed=1, first=first)
        return way.days

    vacation = (first + timedelta(days=away[0]), first + timedelta(days=away[-1]))
    easy = days(
        SchedulingSettings(easy_days=(1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 0.0), vacation=(vacation,))
    )
    usual = days(SchedulingSettings())
    assert all(easy[day].minutes == 0 for day in away)
    assert usual[away[0]].minutes > 0
    assert easy[away[-1] + 1].reviews > 0  # what waited
    sundays, wednesdays = easy[6::7], easy[2::7]
    assert not any(each.new or each.drills for each in sundays)
    assert all(each.new <= DEFAULTS.new_per_day // 2 for each in wednesdays)
    assert days(SchedulingSettings(load_balance=True)) != usual
