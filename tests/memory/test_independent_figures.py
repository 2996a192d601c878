"""The figures of forecasts beside a computation of their own, in numpy: FSRS-6 as it is published.

Nothing of the library and of `memory.fit` is used: memories, forecasts, groups and both figures are
computed here from ratings and learner days.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from studyattn.memory import DEFAULT_PARAMETERS, LoggedReview
from studyattn.memory.fit import figures, forecasts, trials_of
from tests.memory.histories import forgetful_log

W = DEFAULT_PARAMETERS
OWN = (3.0, 6.0, 20.0, 40.0, *W[4:8], 1.0, *W[9:20], 0.4)


def recall(days: float, stability: float, w: Sequence[float]) -> float:
    factor = 0.9 ** (-1 / w[20]) - 1
    return float((1 + factor * days / stability) ** -w[20])


def first_difficulty(rating: int, w: Sequence[float]) -> float:
    return w[4] - math.exp(w[5] * (rating - 1)) + 1


def moved(
    memory: tuple[float, float], days: int, rating: int, w: Sequence[float]
) -> tuple[float, float]:
    """Stability and difficulty after a review, by the wiki "The Algorithm" of awesome-fsrs."""
    stability, difficulty = memory
    if days == 0:
        growth = math.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19]
        after = stability * (max(1.0, growth) if rating >= 2 else growth)
    else:
        chance = recall(days, stability, w)
        if rating == 1:
            after = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1)
            after *= math.exp(w[14] * (1 - chance))
            after = min(after, stability / math.exp(w[17] * w[18]))
        else:
            growth = math.exp(w[8]) * (11 - difficulty) * stability ** -w[9]
            growth *= math.exp(w[10] * (1 - chance)) - 1
            growth *= {2: w[15], 4: w[16]}.get(rating, 1.0)
            after = stability * (1 + growth)
    changed = difficulty - w[6] * (rating - 3) * (10 - difficulty) / 9
    changed = w[7] * first_difficulty(4, w) + (1 - w[7]) * changed
    return min(36500.0, max(0.001, after)), min(10.0, max(1.0, changed))


def forecast_reviews(
    log: Sequence[LoggedReview], w: Sequence[float]
) -> Iterator[tuple[float, bool, tuple[int, int, int]]]:
    """Forecast, outcome and group of each review that is not the first of its item nor its day."""
    for guid in {each.item_guid for each in log}:
        memory, last, later, lapses = (0.0, 0.0), 0, 0, 0
        own = sorted((each for each in log if each.item_guid == guid), key=lambda each: each.at)
        for number, each in enumerate(own):
            assert each.rating is not None
            rating, today = int(each.rating), each.learner_day.toordinal()
            if number == 0:
                memory = (w[rating - 1], min(10.0, max(1.0, first_difficulty(rating, w))))
            else:
                days = today - last
                if days:
                    later += 1
                    grown = (
                        round(248 * 3.62 ** math.floor(math.log(days) / math.log(3.62))),
                        round(1.99 * 1.89 ** math.floor(math.log(later + 1) / math.log(1.89))),
                        lapses
                        and round(1.65 * 1.73 ** math.floor(math.log(lapses) / math.log(1.73))),
                    )
                    yield recall(days, memory[0], w), rating > 1, grown
                    lapses += rating == 1
                memory = moved(memory, days, rating, w)
            last = today


@pytest.mark.parametrize("w", [W, OWN])
def test_the_figures_of_a_log_are_those_computed_here(w: tuple[float, ...]) -> None:
    log = forgetful_log(7, 150, OWN)
    rows = list(forecast_reviews(log, w))
    chance = np.array([row[0] for row in rows])
    recalled = np.array([row[1] for row in rows], dtype=float)
    loss = -np.mean(np.where(recalled == 1, np.log(chance), np.log1p(-chance)))
    groups = {row[2] for row in rows}
    squares = 0.0
    for group in groups:
        inside = np.array([row[2] == group for row in rows])
        squares += inside.sum() * (chance[inside].mean() - recalled[inside].mean()) ** 2
    trials = trials_of(log)
    assert len(trials) == len(rows) > 1000
    assert len(groups) > 20
    ours = figures(forecasts(trials, w), [e.recalled for e in trials], [e.bin for e in trials])
    assert ours.log_loss == pytest.approx(loss, abs=1e-6)
    assert ours.rmse_bins == pytest.approx(math.sqrt(squares / len(rows)), abs=1e-6)
