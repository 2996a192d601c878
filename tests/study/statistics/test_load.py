"""The load of a year beside the library's own simulation, which begins with new cards alone."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from statistics import mean

import fsrs_rs_python as fsrs
import pytest

from studyattn.memory import SchedulingSettings
from studyattn.memory.settings import DEFAULT_PARAMETERS
from studyattn.study.rules.simulation import PlannedItem
from studyattn.study.statistics.load import (
    LEARNING,
    RELEARNING,
    Load,
    simulate_load,
    steady_learner,
)
from studyattn.study.statistics.pages import FIGURES

MONDAY = date(2026, 1, 5)
CARDS, A_DAY, SEEDS = 1200, 10, 3
FIRST, RECALLED = (0.25, 0.10, 0.50, 0.15), (0.15, 0.70, 0.15)


def library(retention: float, steps: tuple[int, int]) -> list[tuple[int, float, float]]:
    """Reviews, answers and items held at the end, of each seed."""
    config = fsrs.SimulatorConfig(
        deck_size=CARDS,
        learn_span=365,
        max_cost_perday=1e9,
        max_ivl=36500.0,
        first_rating_prob=FIRST,
        review_rating_prob=RECALLED,
        learn_limit=A_DAY,
        review_limit=99_999,
        new_cards_ignore_review_limit=True,
        learning_step_transitions=[list(row) for row in LEARNING],
        relearning_step_transitions=[list(row) for row in RELEARNING],
        state_rating_costs=[[1.0] * 4] * 3,
        learning_step_count=steps[0],
        relearning_step_count=steps[1],
    )
    runs = [fsrs.simulate(DEFAULT_PARAMETERS, retention, config, seed) for seed in range(SEEDS)]
    return [
        (sum(each.review_cnt_per_day), sum(each.cost_per_day), each.memorized_cnt_per_day[-1])
        for each in runs
    ]


def ours(
    retention: float,
    steps: tuple[int, int],
    seed: int,
    cards: int = CARDS,
    settings: SchedulingSettings | None = None,
) -> Load:
    waits = [timedelta(minutes=each) for each in (1, 10)]
    return simulate_load(
        [],
        new=cards,
        new_a_day=A_DAY,
        learner=steady_learner(60.0, RECALLED),
        settings=settings
        or SchedulingSettings(
            learning_steps=tuple(waits[: steps[0]]), relearning_steps=tuple(waits[: steps[1]])
        ),
        retention=retention,
        today=MONDAY,
        seed=seed,
    )


@pytest.mark.parametrize("retention", [0.85, 0.95])
@pytest.mark.parametrize("steps", [(0, 0), (2, 1)])
def test_a_new_collection_loads_as_the_library_simulates(
    retention: float, steps: tuple[int, int]
) -> None:
    theirs = library(retention, steps)
    loads = [ours(retention, steps, seed) for seed in range(SEEDS)]
    for place, values in enumerate(
        (
            [sum(each.reviews) for each in loads],
            [sum(each.minutes) for each in loads],
            [each.held for each in loads],
        )
    ):
        assert mean(values) == pytest.approx(mean(each[place] for each in theirs), rel=0.06)


def test_begun_items_come_when_they_are_due_and_a_sample_stands_for_all() -> None:
    def load(items: int, retention: float = 0.9) -> Load:
        return simulate_load(
            [PlannedItem("", "", memory=fsrs.MemoryState(30.0, 5.0), last=-10, due=20)] * items,
            new=0,
            new_a_day=10,
            learner=steady_learner(30.0, RECALLED),
            settings=SchedulingSettings(),
            retention=retention,
            today=MONDAY,
        )

    few, many = load(400), load(40_000)
    assert next(day for day, reviews in enumerate(few.reviews) if reviews) == 20
    assert few.reviews[20] == pytest.approx(400)
    assert many.reviews[20] == pytest.approx(40_000)
    assert sum(many.reviews) == pytest.approx(100 * sum(few.reviews), rel=0.05)
    assert many.held == pytest.approx(100 * few.held, rel=0.02)
    earlier = load(400, retention=0.95)
    assert next(day for day, reviews in enumerate(earlier.reviews) if reviews) < 20


def test_what_if_names_the_price_of_every_other_retention() -> None:
    loads = [ours(each, (2, 1), 0, cards=600) for each in (0.85, 0.9, 0.95)]
    figure = FIGURES["what-if"].drawn([loads[1], loads[0], loads[2]])
    assert figure is not None
    minutes = list(figure.values_of("minutes per day"))
    assert minutes == sorted(minutes)  # type: ignore[type-var]  # no None
    less, now, more = (each.minutes_a_day for each in loads)
    assert f"At 85%, it would take {1 - less / now:.0%} less; at 95%," in figure.meaning
    assert f"at 95%, it would take {more / now - 1:.0%} more. " in figure.meaning


def test_easy_days_a_vacation_and_the_balance_of_the_load_shape_the_days() -> None:
    usual = ours(0.9, (2, 1), 0, cards=600)
    away = range(100, 121)
    vacation = (MONDAY + timedelta(days=away[0]), MONDAY + timedelta(days=away[-1]))
    shaped = SchedulingSettings(easy_days=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0), vacation=(vacation,))
    easy = ours(0.9, (2, 1), 0, cards=600, settings=shaped)
    assert not any(easy.minutes[day] for day in away)
    assert usual.reviews[away[-1] + 1] < easy.reviews[away[-1] + 1]  # what waited
    sundays = slice(6, None, 7)
    # Intervals under three days have no other day to go to, so a Sunday is not empty.
    assert 0 < mean(easy.reviews[sundays]) < 0.4 * mean(usual.reviews[sundays])
    assert sum(easy.reviews) == pytest.approx(sum(usual.reviews), rel=0.1)
    balanced = ours(0.9, (2, 1), 0, cards=600, settings=SchedulingSettings(load_balance=True))
    assert roughness(balanced) < 0.75 * roughness(usual)


def roughness(load: Load) -> float:
    """How much days differ from their neighbours, beside the mean, after the new cards came."""
    days = load.reviews[100:]
    return mean(abs(later - day) for day, later in pairwise(days)) / mean(days)
