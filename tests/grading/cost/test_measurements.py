"""The fit of a power law on measured costs, and the words that it is told in."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from studyattn.grading.cost.measurements import CostSeries, Point, Quantity, Role, Stopped, fit

DOUBLING = [32 * 2**step for step in range(6)]

exponents = st.floats(-2.0, 4.0)
factors = st.floats(1e-9, 1e9)
ns = st.lists(st.integers(1, 100_000), min_size=3, max_size=12, unique=True)


def series(*values: float) -> CostSeries:
    points = tuple(Point(n, round(v), 7, v) for n, v in zip(DOUBLING, values, strict=False))
    return CostSeries("mine", Role.YOURS, "attention", points)


@given(ns, exponents, factors)
def test_a_power_law_is_found_exactly(at: list[int], exponent: float, factor: float) -> None:
    law = fit([(n, factor * n**exponent) for n in at])
    assert law is not None
    assert math.isclose(law.exponent, exponent, abs_tol=1e-6)
    assert math.isclose(math.log(law.factor), math.log(factor), abs_tol=1e-4)
    assert math.isclose(law.doubling, 2**exponent, rel_tol=1e-5)


@given(exponents, st.lists(st.floats(0.1, 10.0), min_size=6, max_size=6), factors)
def test_the_unit_of_a_cost_does_not_change_how_it_grows(
    exponent: float, noise: list[float], unit: float
) -> None:
    points = [(n, n**exponent * bend) for n, bend in zip(DOUBLING, noise, strict=True)]
    one, other = fit(points), fit([(n, cost * unit) for n, cost in points])
    assert one is not None
    assert other is not None
    assert math.isclose(one.exponent, other.exponent, abs_tol=1e-6)


@given(exponents, st.lists(st.floats(0.95, 1.05), min_size=6, max_size=6), st.randoms())
def test_noise_of_a_twentieth_moves_the_exponent_little_and_order_not_at_all(
    exponent: float, noise: list[float], shuffled: object
) -> None:
    points = [(n, n**exponent * bend) for n, bend in zip(DOUBLING, noise, strict=True)]
    law = fit(points)
    shuffled.shuffle(points)  # type: ignore[attr-defined]  # a random.Random
    assert law is not None
    assert abs(law.exponent - exponent) <= math.log(1.05 / 0.95) / math.log(2) + 1e-9
    assert fit(points) == law


@given(st.floats(0.0, 100.0), st.floats(0.0, 100.0))
def test_what_grows_more_slowly_pulls_less_the_larger_n_is(constant: float, linear: float) -> None:
    """The law of the tail lies between the slope at its beginning and the leading term's."""

    def cost(n: float) -> float:
        return constant + linear * n + n * n

    law = fit([(n, cost(n)) for n in DOUBLING])
    begin, end = DOUBLING[-3], DOUBLING[-2]
    assert law is not None
    assert math.log2(cost(end) / cost(begin)) - 1e-9 <= law.exponent <= 2 + 1e-9


def test_few_points_one_n_or_nothing_spent_are_no_law() -> None:
    assert fit([]) is None
    assert fit([(8, 64.0), (16, 256.0)]) is None
    assert fit([(8, 64.0)] * 5) is None
    assert fit([(n, 0.0) for n in DOUBLING]) is None


def test_growth_in_words() -> None:
    quadratic = series(*(3.0 * n * n for n in DOUBLING))
    assert quadratic.words(Quantity.OPERATIONS) == (
        "grows as n^2.00: doubling n costs 4.0 times as much"
    )
    assert quadratic.words(Quantity.TIME).startswith("grows as n^2.00")
    assert quadratic.words(Quantity.LARGEST_ARRAY) == "does not grow with n"
    assert series(1.0, 2.0).words(Quantity.TIME) == "too few points to tell how it grows"


def test_what_is_remarked() -> None:
    whole = series(*map(float, DOUBLING))
    assert whole.is_whole
    assert not whole.remark
    wrong = CostSeries("mine", Role.YOURS, "a", (Point(8, 1, 1, 1.0), Point(16, 1, 1, 1.0, False)))
    assert wrong.remark.startswith("gives wrong results from n = 16")
    stopped = CostSeries("mine", Role.YOURS, "a", (), Stopped(8, "it raised", 3))
    assert stopped.remark == "stopped at n = 8: it raised (line 3)"
    assert stopped.to_json()["stopped"] == stopped.remark
    assert stopped.to_json()["exponents"] == {
        "operations": None,
        "largest_array": None,
        "time": None,
    }
