"""Figures of statistics for a browser: drawings as SVG, and every number in a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from studyattn.exchange.html.renderer import words
from studyattn.text.figure import Figure, Series, Shape, Unit, written

_WIDTH: Final = 600
_HEIGHT: Final = 120
_ROWS: Final = 40
"""Rows of a table; more are left out, which is said."""
_CLASSES: Final = ("n4", "n2", "n1", "n3")


def figure_blocks(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield each figure that has something to show: its title, sentence, drawing and numbers."""
    for figure in figures:
        if figure.empty:
            continue
        yield f'<article class="chart" id="figure-{words(figure.name)}">'
        yield f"<h3>{words(figure.title)}</h3><p>{words(figure.meaning)}</p>"
        if figure.shape is Shape.COLUMNS:
            yield from (_columns(figure, each) for each in figure.series)
        elif figure.shape is Shape.CURVES:
            yield _curves(figure)
        else:
            yield from _table(figure)
        yield "</article>"


def _columns(figure: Figure, series: Series) -> str:
    values = [value or 0.0 for value in series.values]
    top = max(values) or 1.0
    step = _WIDTH / len(values)
    bars = "".join(
        f'<rect class="n4" x="{at * step:.2f}" y="{_HEIGHT * (1 - value / top):.2f}"'
        f' width="{0.85 * step:.2f}" height="{_HEIGHT * value / top:.2f}">'
        f"<title>{words(label)}: {written(value, series.unit)}</title></rect>"
        for at, (label, value) in enumerate(zip(figure.labels, values, strict=True))
        if value
    )
    told = f"{series.name}, at most {written(top, series.unit)}"
    told += f", from {figure.labels[0]} to {figure.labels[-1]}"
    return _drawing(told, bars)


def _curves(figure: Figure) -> str:
    xs = [float(label) for label in figure.labels]
    known = [value for each in figure.series for value in each.values if value is not None]
    low, high, left, right = min(known), max(known), min(xs), max(xs)
    lines = []
    for series, name in zip(figure.series, _CLASSES, strict=False):
        points = " ".join(
            f"{_WIDTH * _part(x, left, right):.1f},{_HEIGHT * (1 - _part(y, low, high)):.1f}"
            for x, y in zip(xs, series.values, strict=True)
            if y is not None
        )
        title = f"<title>{words(series.name)}</title>"
        lines.append(f'<polyline class="{name}" points="{points}">{title}</polyline>')
    unit = figure.series[0].unit
    names = ", ".join(each.name for each in figure.series)
    told = f"{names}: from {written(low, unit)} to {written(high, unit)}"
    return _drawing(told, "".join(lines))


def _part(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.5


def _drawing(told: str, drawn: str) -> str:
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{words(told)}">'
        f"{drawn}</svg><figcaption>{words(told)}</figcaption></figure>"
    )


def _table(figure: Figure) -> Iterator[str]:
    heads = "".join(f"<th>{words(each.name)}</th>" for each in figure.series)
    yield f'<div class="table" tabindex="0"><table><thead><tr><td></td>{heads}</tr></thead><tbody>'
    first = figure.series[0]
    top = 1.0 if first.unit is Unit.SHARE else max(filter(None, first.values), default=1.0)
    for place, label in enumerate(figure.labels[:_ROWS]):
        cells = "".join(
            f'<td class="amount">{written(each.values[place], each.unit)}</td>'
            for each in figure.series
        )
        drawn = ""
        if figure.shape is Shape.BARS and len(figure.series) <= 2:
            share = 100 * (first.values[place] or 0.0) / top
            bar = f'<rect class="n4" width="{share:.1f}" height="6" rx="2"/>'
            drawn = f'<td><svg class="bar" viewBox="0 0 100 6" aria-hidden="true">{bar}</svg></td>'
        yield f"<tr><td>{words(label)}</td>{cells}{drawn}</tr>"
    yield "</tbody></table></div>"
    more = len(figure.labels) - _ROWS
    if more > 0:
        yield f'<p class="since">and {more:,} more</p>'
