"""Charts of any figure: within the columns that there are, and true to the numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from studyattn.text.chart import ChartStyles, bar, chart_lines, most_taller
from studyattn.text.figure import Figure, Series, Shape, Unit, figure_rows, written

FIRST = date(2026, 1, 1)
NAMES = ("a", "注意" * 30, "long name " * 8)


def figure_of(shape: Shape, length: int, seed: int) -> Figure:
    draw = Random(seed)
    labels = [draw.choice(NAMES) for _ in range(length)]
    if shape is Shape.CALENDAR:
        labels = [(FIRST + timedelta(days=at)).isoformat() for at in range(length)]
    elif shape is Shape.CURVES:
        labels = [str(at) for at in range(length)]
    numbers = (None, 0.0, 1.0, draw.random(), float(draw.randrange(10**6)))
    series = tuple(
        Series(f"s{at}", tuple(draw.choices(numbers, k=length)), draw.choice(list(Unit)))
        for at in range(1 if shape is Shape.CALENDAR else draw.randint(1, 3))
    )
    return Figure("f", "Title", "A sentence of words. " * 9, tuple(labels), series, shape)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(Shape), st.integers(1, 400), st.integers(0, 10**6), st.integers(60, 200))
def test_no_line_is_wider_than_asked_for(shape: Shape, length: int, seed: int, width: int) -> None:
    figure = figure_of(shape, length, seed)
    lines = chart_lines(figure, width)
    assert max(cell_len(line.plain) for line in lines) <= width
    more = most_taller(figure)
    taller = chart_lines(figure, width, taller=more)
    assert max(cell_len(line.plain) for line in taller) <= width
    assert len(lines) <= len(taller) <= len(lines) + more
    assert sum(1 for _ in figure_rows([figure])) == len(figure.labels) * len(figure.series)


@given(st.floats(0, 1e6), st.floats(1, 1e6), st.integers(1, 200))
def test_a_bar_is_as_long_as_its_number(value: float, top: float, width: int) -> None:
    drawn = bar(min(value, top), top, width)
    assert len(drawn) <= width
    assert bool(drawn) == (value > 0)
    eighths = 8 * (len(drawn) - 1) + "▏▎▍▌▋▊▉█".index(drawn[-1]) + 1 if drawn else 0
    assert abs(eighths - 8 * width * min(value, top) / top) <= 1


def test_columns_are_read_without_colour() -> None:
    labels = tuple((FIRST + timedelta(days=at)).isoformat() for at in range(8))
    values = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 40.0)
    figure = Figure("f", "T", "M.", labels, (Series("s", values),), Shape.COLUMNS)
    lines = [line.plain for line in chart_lines(figure, 60)]
    assert lines[2].lstrip().startswith("40┤")
    assert lines[6].lstrip() == "0┤" + "".join(7 * each for each in " ▁▂▄████")
    assert not any(line.spans and line.spans[0].style for line in chart_lines(figure, 60))


@given(st.integers(1, 10_000), st.integers(40, 120))
def test_axes_stand_in_one_column_where_means_are_drawn(first: int, width: int) -> None:
    labels = tuple((FIRST + timedelta(days=at)).isoformat() for at in range(365))
    values = (float(first), *(0.0 for _ in labels[1:]))
    figure = Figure("f", "T", "M.", labels, (Series("s", values),), Shape.COLUMNS)
    lines = [line.plain for line in chart_lines(figure, width)]
    axis = {min(line.index(side) for side in "┤│" if side in line) for line in lines if "⡇" in line}
    axis |= {line.index("┤") for line in lines if "┤" in line}
    assert len(axis) == 1
    assert all(cell_len(line) <= width for line in lines)


def test_curves_have_styles_of_their_own_and_what_they_are_compared_with_is_quiet() -> None:
    series = [Series(name, (low, low + 0.1), Unit.SHARE) for name, low in (("a", 0.1), ("b", 0.5))]
    compared = Series("c", (0.8, 0.9), Unit.SHARE)
    styles = ChartStyles(ink="blue", other="red", quiet="dim")
    for drawn in ((series[0], compared), (*series, compared)):
        figure = Figure("f", "T", "M.", ("0.1", "0.9"), drawn, Shape.CURVES)
        legend, *lines = chart_lines(figure, 60, styles)[2:]
        signs = "●○×"[: len(drawn)]
        found = [str(each.style) for each in legend.spans if legend.plain[each.start] in signs]
        assert found == [*["blue", "red"][: len(drawn) - 1], "dim"]
        at_ends = {line.plain[-1] for line in lines if line.plain and line.plain[-1] in signs}
        assert at_ends == set(signs)


def test_few_points_have_signs_and_both_axes_their_units() -> None:
    labels = ("0.725", "0.825", "0.925")
    drawn = (Series("a", (0.7, 0.9, 0.8), Unit.SHARE), Series("b", (0.725, 0.825, 0.925)))
    figure = Figure("f", "T", "M.", labels, drawn, Shape.CURVES, along=Unit.SHARE)
    _, *lines = [line.plain for line in chart_lines(figure, 60)[2:]]
    assert sum(line.count("●") for line in lines) == 3
    assert sum(line.count("○") for line in lines) == 1  # what the other is compared with
    assert lines[-1].split() == ["72.5%", "82.5%", "92.5%"]
    in_days = replace(figure, along=Unit.DAYS)
    assert chart_lines(in_days, 60)[-1].plain.split() == ["0.725", "d", "0.825", "d", "0.925", "d"]


def test_numbers_as_people_read_them() -> None:
    assert [written(each, unit) for each, unit in ((None, Unit.NUMBER), (0.875, Unit.SHARE))] == [
        "—",
        "87.5%",
    ]
    assert written(1204.0) == "1,204"
    assert written(3.5, Unit.MINUTES) == "3.5 min"
    assert written(1.0, Unit.FLAG) == "yes"
