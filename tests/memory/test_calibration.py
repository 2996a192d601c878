"""Bins of forecasts beside a count of our own, and forecasts beside the fold of the log."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory.fit import EDGES, calibration_bins

PAIRS = st.lists(st.tuples(st.one_of(st.sampled_from(EDGES), st.floats(0, 1)), st.booleans()))


@given(PAIRS)
def test_every_forecast_is_in_the_bin_that_holds_it(pairs: list[tuple[float, bool]]) -> None:
    bins = calibration_bins([each for each, _ in pairs], [each for _, each in pairs])
    assert sum(each.forecasts for each in bins) == len(pairs)
    for place, each in enumerate(bins):
        last = place == len(bins) - 1
        own = [
            (probability, recalled)
            for probability, recalled in pairs
            if each.low <= probability < each.high or (last and probability == each.high)
        ]
        assert each.forecasts == len(own)
        if own:
            assert each.recalled == sum(recalled for _, recalled in own) / len(own)
            assert each.predicted is not None
            assert each.low - 1e-9 <= each.predicted <= each.high + 1e-9
        else:
            assert each.predicted is each.recalled is None
