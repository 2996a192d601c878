"""Forecasts of whole items at once are those of each review by itself."""

from __future__ import annotations

from itertools import groupby

import pytest

from studyattn.memory import DEFAULT_PARAMETERS, effective_reviews
from studyattn.memory.fit import figures, forecasts, outcomes_of, trials_of
from tests.memory.histories import forgetful_log


@pytest.mark.parametrize("later", [False, True])
def test_outcomes_are_the_trials_of_the_fit(*, later: bool) -> None:
    log = sorted(forgetful_log(2, 40, DEFAULT_PARAMETERS), key=lambda row: row.item_guid)
    own = [
        (each.item_guid, each.learner_day.toordinal(), int(each.rating or 0))
        for _, rows in groupby(log, key=lambda row: row.item_guid)
        for each in effective_reviews(rows)
    ]
    first = sorted(day for _, day, _ in own)[len(own) // 2] if later else None
    trials = [
        each
        for each in sorted(trials_of(log), key=lambda trial: trial.guid)
        if first is None or each.at.toordinal() >= first
    ]
    outcomes = outcomes_of(own, first)
    assert len(trials) > 20
    assert outcomes.recalled == [each.recalled for each in trials]
    assert outcomes.bins == [each.bin for each in trials]
    found = outcomes.forecasts(DEFAULT_PARAMETERS)
    assert found == pytest.approx(forecasts(trials, DEFAULT_PARAMETERS), abs=1e-6)
    assert figures(found, outcomes.recalled, outcomes.bins).rmse_bins > 0
