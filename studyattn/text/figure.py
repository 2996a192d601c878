"""A figure of statistics: numbers by label, and one sentence that says what they mean.

It holds no drawing: `chart` draws it for a terminal, commands print it as JSON and CSV, and the
web page has it as a table.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple, Self

Row = tuple[str | date, *tuple[float | None, ...]]
"""A label, and a value for each series; None where nothing was measured."""


class Named(NamedTuple):
    """Rows whose series depend on them."""

    series: str
    rows: Sequence[Row]


Telling = Generator[Sequence[Row] | Named, None, str]
"""A figure as it is told: it yields rows, and returns a sentence that is made of them."""


def sentence_of(telling: Telling) -> str:
    """Return the sentence of a figure whose rows were taken."""
    try:
        next(telling)
    except StopIteration as end:
        return str(end.value)
    raise ValueError("a figure yields rows once")


class Shape(StrEnum):
    """The form in which a figure is drawn."""

    COLUMNS = "columns"  # along time: a column a label, one chart a series
    BARS = "bars"  # a bar for each label and series; series of another unit are numbers beside it
    CURVES = "curves"  # series along labels that are numbers
    CALENDAR = "calendar"  # labels are days in ISO 8601, without gaps
    TABLE = "table"  # a row a label, a column a series


class Unit(StrEnum):
    """The unit of the numbers of a series."""

    NUMBER = "number"
    MINUTES = "minutes"
    DAYS = "days"
    SHARE = "share"  # 0 to 1, written in per cent
    FLAG = "flag"  # 1 for yes, 0 for no


_UNITS = {"": Unit.NUMBER, "min": Unit.MINUTES, "d": Unit.DAYS, "%": Unit.SHARE, "?": Unit.FLAG}


@dataclass(frozen=True, slots=True)
class Series:
    """Values, one for each label of the figure; None where nothing was measured."""

    name: str
    values: tuple[float | None, ...]
    unit: Unit = Unit.NUMBER


@dataclass(frozen=True, slots=True)
class Figure:
    """Series over common labels."""

    name: str
    """Its name in CSV, JSON and addresses: lower case with hyphens."""
    title: str
    meaning: str
    """One sentence: what it means for the learner today."""
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    shape: Shape = Shape.BARS
    along: Unit = Unit.NUMBER
    """What the labels count where they are numbers."""

    @classmethod
    def of(  # noqa: PLR0917 - a line of the table of figures
        cls,
        name: str,
        title: str,
        shape: Shape,
        along: str,
        series: str,
        rows: Sequence[Row] | Named,
    ) -> Self:
        """Return the figure of rows, without a sentence.

        `along` is the sign of the unit of its labels, where they are numbers. `series` has the
        names of its series, each with the sign of its unit: `asked, recalled:%`.
        """
        if isinstance(rows, Named):
            series, rows = rows
        named = [each.partition(":") for each in filter(None, series.split(", "))]
        columns = list(zip(*rows, strict=True)) or [()] * (1 + len(named))
        return cls(
            *(name, title, "", tuple(map(str, columns[0]))),
            tuple(
                Series(each, tuple(None if v is None else float(v) for v in values), _UNITS[sign])
                for (each, _, sign), values in zip(named, columns[1:], strict=True)
            ),
            *(shape, _UNITS[along]),
        )

    def values(self, series: str) -> dict[str, float | None]:
        """Return the values of a series by label. Raises KeyError for an unknown series."""
        return dict(zip(self.labels, self.values_of(series), strict=True))

    def values_of(self, series: str) -> tuple[float | None, ...]:
        """Return the values of a series in the order of the labels. Raises KeyError."""
        for each in self.series:
            if each.name == series:
                return each.values
        raise KeyError(series)

    @property
    def empty(self) -> bool:
        """True if no value is there that is not 0."""
        return not any(value for each in self.series for value in each.values)


def figure_rows(figures: Iterable[Figure]) -> Iterator[tuple[str, str, str, str, float | None]]:
    """Yield figure, label, series, unit and value, a row a value: what CSV is made of."""
    for figure in figures:
        for place, label in enumerate(figure.labels):
            for series in figure.series:
                yield figure.name, label, series.name, series.unit.value, series.values[place]


def written(value: float | None, unit: Unit = Unit.NUMBER) -> str:
    """A value as people read it: `1,204`, `3.5`, `87.5%`, `12.5 min`, `21 d`, `—` for none."""
    if value is None:
        return "—"
    if unit is Unit.FLAG:
        return "yes" if value else "no"
    if unit is Unit.SHARE:
        return f"{100 * value:.1f}%"
    number = f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:.1f}"
    return number + {Unit.MINUTES: " min", Unit.DAYS: " d"}.get(unit, "")
