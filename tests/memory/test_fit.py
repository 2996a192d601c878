"""Own parameters: adopted when they win on later reviews, and the figures that say so."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys

import fsrs_rs_python
import pytest

from studyattn.memory import (
    DEFAULT_PARAMETERS,
    Rating,
    Scheduler,
    SchedulingSettings,
    effective_reviews,
)
from studyattn.memory.fit import FEWEST_REVIEWS, ForecastQuality, _trials, figures, fit, forecasts
from tests.memory.histories import forgetful_log

SETTINGS = SchedulingSettings()
# A learner for whom first impressions last long and forgetting is steep at first.
UNUSUAL = (3.0, 6.0, 20.0, 40.0, *DEFAULT_PARAMETERS[4:8], 1.0, *DEFAULT_PARAMETERS[9:20], 0.4)


def test_a_learner_unlike_the_defaults_gets_own_parameters() -> None:
    result = fit(forgetful_log(1, 600, UNUSUAL), SETTINGS)
    assert result is not None
    assert result.adopted
    assert result.own.log_loss < result.defaults.log_loss
    assert result.own.log_loss < result.average.log_loss
    Scheduler(SchedulingSettings(parameters=result.parameters))  # they can be scheduled with


PRINT_A_FIT = """
from tests.memory.test_fit import SETTINGS, UNUSUAL, fit, forgetful_log

print(fit(forgetful_log(1, 600, UNUSUAL), SETTINGS))
"""


def fit_under_hash_seed(seed: int) -> str:
    """Fit in a process of its own, in which strings have other hashes; what it prints."""
    return subprocess.run(
        [sys.executable, "-c", PRINT_A_FIT],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout


def test_the_same_log_gives_the_same_parameters_in_every_process() -> None:
    first = fit_under_hash_seed(1)
    assert first.startswith("Fit(parameters=(")
    assert fit_under_hash_seed(2) == first


def test_the_order_in_which_rows_are_read_does_not_change_the_fit() -> None:
    log = forgetful_log(1, 600, UNUSUAL)
    shuffled = random.Random(3).sample(log, len(log))
    assert fit(shuffled, SETTINGS) == fit(log, SETTINGS)


def opposite(rating: Rating) -> Rating:
    return Rating(5 - rating)


def test_parameters_are_judged_on_reviews_that_they_have_not_seen() -> None:
    log = forgetful_log(2, 600, UNUSUAL)
    result = fit(log, SETTINGS)
    assert result is not None
    assert result.tried != pytest.approx(DEFAULT_PARAMETERS, abs=0.1)
    ratings_turned = [
        row
        if row.at < result.since or row.rating is None
        else row._replace(rating=opposite(row.rating))
        for row in log
    ]
    turned = fit(ratings_turned, SETTINGS)
    assert turned is not None
    assert turned.tried == result.tried
    assert turned.own != result.own


def test_parameters_that_won_are_fitted_again_on_all_reviews() -> None:
    log = forgetful_log(1, 600, UNUSUAL)
    result = fit(log, SETTINGS)
    assert result is not None
    assert result.adopted
    trials = sorted(_trials(log), key=lambda trial: (trial.at, trial.guid))
    guids = list(dict.fromkeys(trial.guid for trial in trials))
    on_all = fsrs_rs_python.FSRS(list(DEFAULT_PARAMETERS)).compute_parameters(
        [trial.history for trial in trials],
        [guids.index(trial.guid) for trial in trials],
        num_relearning_steps=len(SETTINGS.relearning_steps),
    )
    assert result.parameters == tuple(on_all)
    assert result.parameters != result.tried
    usual = fit(forgetful_log(6, 300, DEFAULT_PARAMETERS), SETTINGS)
    assert usual is not None
    assert usual.adopted or usual.parameters == usual.tried


def test_parameters_that_lose_on_the_later_part_are_not_adopted() -> None:
    better, worse = ForecastQuality(0.30, 0.05), ForecastQuality(0.31, 0.05)
    assert better.beats(worse)
    assert not worse.beats(better)
    assert not better.beats(better)
    assert not ForecastQuality(0.30 - 1e-9, 0.05).beats(better)  # no more than rounding
    assert not ForecastQuality(0.29, 0.06).beats(better)  # one figure won, the other lost


def test_a_short_log_is_not_fitted() -> None:
    log = forgetful_log(3, FEWEST_REVIEWS // 20, DEFAULT_PARAMETERS)
    assert fit(log, SETTINGS) is None
    assert fit([], SETTINGS) is None


def test_forecasts_agree_with_the_librarys_own_evaluation() -> None:
    trials = list(_trials(forgetful_log(4, 20, DEFAULT_PARAMETERS)))
    model = fsrs_rs_python.FSRS(list(DEFAULT_PARAMETERS))
    for trial, forecast in zip(trials, forecasts(trials, DEFAULT_PARAMETERS), strict=True):
        theirs = model.evaluate([trial.history])
        ours = figures([forecast], [trial.recalled], [trial.bin])
        assert ours.log_loss == pytest.approx(theirs.log_loss, abs=1e-4)
        assert ours.rmse_bins == pytest.approx(theirs.rmse_bins, abs=1e-4)


def test_only_reviews_of_a_later_day_are_forecast() -> None:
    log = forgetful_log(5, 20, DEFAULT_PARAMETERS)
    first = {row.item_guid for row in effective_reviews(log)}
    trials = list(_trials(log))
    assert len(trials) <= len(log) - len(first)
    assert all(trial.days > 0 for trial in trials)


def test_the_figures_by_hand() -> None:
    result = figures([0.9, 0.7, 0.5], [True, False, True], [(1, 1, 0), (1, 1, 0), (2, 1, 0)])
    assert result.log_loss == pytest.approx(-(math.log(0.9) + math.log(0.3) + math.log(0.5)) / 3)
    # One group of two, forecast 0.8 and 0.5 recalled; one of one, 0.5 and 1.
    assert result.rmse_bins == pytest.approx(math.sqrt((2 * 0.3**2 + 0.5**2) / 3))


def test_a_certain_forecast_that_fails_costs_much_but_not_everything() -> None:
    assert math.isfinite(figures([1.0], [False], [(1, 1, 0)]).log_loss)
