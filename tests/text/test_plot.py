"""Plots on logarithmic axes: sizes kept, every point shown, readable without colour."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from studyattn.text.plot import SHARED, Curve, draw_curves, short, short_time

NS = [64, 128, 256, 512, 1024, 2048]

positive = st.floats(1e-9, 1e18)
curves = st.lists(
    st.lists(st.tuples(positive, positive), min_size=1, max_size=8), min_size=1, max_size=3
)


def lines(text: Text) -> list[str]:
    return text.plain.split("\n")


def plot(*drawn: Curve, width: int = 70, height: int = 14) -> list[str]:
    return lines(draw_curves(drawn, width=width, height=height, label=short, logarithmic=True))


def places(shown: list[str], sign: str) -> list[tuple[int, int]]:
    """Column and row of each sign, from the left."""
    return sorted(
        (column, row)
        for row, line in enumerate(shown)
        for column, found in enumerate(line)
        if found == sign
    )


@given(curves, st.integers(24, 160), st.integers(6, 40))
def test_any_points_fill_the_lines_and_no_more_than_the_columns(
    drawn: list[list[tuple[float, float]]], width: int, height: int
) -> None:
    text = draw_curves(
        [Curve(points, sign) for points, sign in zip(drawn, "●○×", strict=False)],
        width=width,
        height=height,
        label=short,
        logarithmic=True,
    )
    assert len(lines(text)) == height
    assert all(Text(line).cell_len <= width for line in lines(text))
    assert any(sign in text.plain for sign in "●○×◉")


@pytest.mark.parametrize("exponent", [0, 1, 2])
def test_a_power_law_is_a_straight_line(exponent: int) -> None:
    shown = plot(Curve([(n, 3.0 * n**exponent) for n in NS], "●"), height=40)
    found = places(shown, "●")
    assert len(found) == len(NS)
    slopes = [
        (row - after_row) / (after - column)
        for (column, row), (after, after_row) in pairwise(found)
    ]
    assert max(slopes) - min(slopes) < 0.3
    assert (max(slopes) > 0) is (exponent > 0)


def test_the_quadratic_one_is_twice_as_steep() -> None:
    linear, quadratic = [(n, float(n)) for n in NS], [(n, float(n * n) / 64) for n in NS]
    shown = plot(Curve(linear, "×"), Curve(quadratic, "●"), height=50)
    crosses, dots = places(shown, "×"), places(shown, "●")
    # The first point is shared, and lies with neither.
    rise = crosses[0][1] - crosses[-1][1], dots[0][1] - dots[-1][1]
    assert math.isclose(rise[1] / rise[0], 2.0, rel_tol=0.4)


def test_axes_name_powers_of_ten_and_the_points_themselves() -> None:
    shown = plot(Curve([(n, 36.0 * n * n) for n in NS], "●"))
    assert shown[-1].split() == [str(n) for n in NS]
    assert [line.split("┤")[0].strip() for line in shown if "┤" in line] == ["100M", "10M", "1M"]
    assert shown[-2].count("┬") == len(NS)


def test_points_that_coincide_have_a_sign_of_their_own() -> None:
    points = [(n, float(n)) for n in NS]
    shown = plot(Curve(points, "●"), Curve(points, "○"))
    assert len(places(shown, SHARED)) == len(NS)
    assert not places(shown, "●")


def test_one_point_nothing_and_no_room() -> None:
    assert len(places(plot(Curve([(64, 10.0)], "●")), "●")) == 1
    assert plot(Curve([(64, 0.0)], "●")) == [""]
    assert plot() == [""]
    assert plot(Curve([(64, 1.0)], "●"), width=20) == [""]


def test_short_numbers_and_times() -> None:
    assert [short(value) for value in (64, 1500, 16e6, 2e9, 3e12)] == [
        "64",
        "1.5k",
        "16M",
        "2G",
        "3T",
    ]
    assert [short_time(value) for value in (2, 1.5e-3, 20e-6, 3e-9)] == [
        "2 s",
        "1.5 ms",
        "20 µs",
        "3 ns",
    ]
