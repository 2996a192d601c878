"""The conditions that a drill admits, declared as axes, and a small sample that covers their pairs.

A drill that lists its cases by hand asks what its author thought of. Here the author names the axes
along which inputs may differ (dtype, layout, sizes, ...) and what goes with what makes no sense.
Most faults show when two conditions meet, if not under one alone (Kuhn, Wallace and Gallo 2004), so
each pair of values of two axes is in some case, and as many pairs as possible in each.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ORDINARY = "ordinary inputs"
"""The name of the case in which nothing is unusual."""

Row = tuple[int, ...]
"""One value of each axis, by its number."""

Pair = tuple[tuple[int, int], tuple[int, int]]
"""Two values of two axes: `((axis, value), (axis, value))`, the lower axis first."""

ROWS_TRIED = 6
"""Rows that are made from different pairs before the one that covers most is taken."""


class Excluded:
    """Combinations that are not asked, and why.

    `Excluded("scores beyond 65,504 overflow", dtype="half precision", values=("large scores",))`
    leaves out every row that has one of the named values on each of the named axes.
    """

    def __init__(self, reason: str, **values: str | tuple[str, ...]) -> None:
        self.reason = reason
        self.values: Mapping[str, tuple[str, ...]] = {
            axis: (names,) if isinstance(names, str) else names for axis, names in values.items()
        }


@dataclass(frozen=True)
class Space:
    """The declared conditions of a drill.

    Args:
        axes: by name, the values that an axis takes; each has the words that name it in a case, and
            the settings for `drill.case`. The first is the usual one and is not named.
        excluded: which combinations make no sense or cannot be judged.
        alone: values that are asked once each, with the usual value of every other axis, since
            they take time. Their settings take the place of those of other axes.
        plainly: values that are asked so too: under each other condition that they meet, a
            tolerance may be too wide to tell what they lead to.
        prefix: begins the name of each case.

    ValueError when an exclusion, `alone` or `plainly` names what no axis has, or when settings
    contradict.
    """

    axes: Mapping[str, Mapping[str, Mapping[str, Any]]]
    excluded: tuple[Excluded, ...] = ()
    alone: tuple[str, ...] = ()
    plainly: tuple[str, ...] = ()
    prefix: str = ""

    def __post_init__(self) -> None:
        values = {name for axis in self.axes.values() for name in axis}
        unknown = {*self.alone, *self.plainly} - values
        for excluded in self.excluded:
            unknown |= excluded.values.keys() - self.axes.keys()
            unknown |= {name for names in excluded.values.values() for name in names} - values
        if unknown:
            raise ValueError(f"no axis has {', '.join(sorted(map(repr, unknown)))}")

    @functools.cached_property
    def rows(self) -> tuple[Row, ...]:
        """The sample: the same one each time."""
        return tuple(sample(self))

    @functools.cached_property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of each row of the sample, under the words for what is unusual in it."""
        return dict(map(self._condition, self.rows))

    @property
    def usual(self) -> Mapping[str, Any]:
        """The settings of the row in which nothing is unusual."""
        return self._condition(self.rows[0])[1]

    def anywhere(self, generator: np.random.Generator) -> Mapping[str, Any]:
        """Draw the settings of a row, of the sample or not, whose values all meet others."""
        search = _Search(self)
        values = [
            [each for each in search.values(axis) if (axis, each) not in search.plainly]
            for axis in range(len(search.extents))
        ]
        while True:
            row = tuple(each[int(generator.integers(len(each)))] for each in values)
            if search.admits(dict(enumerate(row))):
                return self._condition(row)[1]

    def _condition(self, row: Row) -> tuple[str, Mapping[str, Any]]:
        words = [self.prefix] if self.prefix else []
        settings: dict[str, Any] = {}
        names = [
            list(values)[number] for values, number in zip(self.axes.values(), row, strict=True)
        ]
        for values, name, number in zip(self.axes.values(), names, row, strict=True):
            if number:
                words.append(name)
            if settings.keys() & values[name].keys() and not {*names} & {*self.alone}:
                raise ValueError(f"{name!r} sets what another axis sets")
            settings |= values[name]
        for values, name in zip(self.axes.values(), names, strict=True):
            if name in self.alone:
                settings |= values[name]
        return ", ".join(words) or ORDINARY, settings


class _Search:
    """Completes rows, within what a space excludes."""

    def __init__(self, space: Space) -> None:
        names = list(space.axes)
        self.extents = [len(values) for values in space.axes.values()]
        keys = [list(values) for values in space.axes.values()]
        self.excluded = [
            {
                names.index(axis): {keys[names.index(axis)].index(each) for each in values}
                for axis, values in excluded.values.items()
            }
            for excluded in space.excluded
        ]
        self.alone, self.plainly = (
            [
                (axis, number)
                for axis, values in enumerate(keys)
                for number, name in enumerate(values)
                if name in wanted
            ]
            for wanted in (space.alone, space.plainly)
        )

    def values(self, axis: int) -> list[int]:
        """The values of an axis that meet others."""
        return [each for each in range(self.extents[axis]) if (axis, each) not in self.alone]

    def admits(self, chosen: Mapping[int, int]) -> bool:
        return not any(
            all(chosen.get(axis, -1) in values for axis, values in rule.items())
            for rule in self.excluded
        )

    def completed(self, chosen: dict[int, int], wanted: set[Pair]) -> Row | None:
        """A row with these values, with many of the `wanted` pairs, if there is one at all."""
        if not self.admits(chosen):
            return None
        options = self._options(chosen, wanted)
        if not options:
            return tuple(chosen[axis] for axis in range(len(self.extents)))
        for _, value, axis in options:
            if axis == options[0][2]:
                row = self.completed({**chosen, axis: value}, wanted)
                if row is not None:
                    return row
        return None

    def _options(self, chosen: dict[int, int], wanted: set[Pair]) -> list[tuple[int, int, int]]:
        """The values of each axis that is open, those with most `wanted` pairs first."""
        return sorted(
            (-sum(_pair(axis, value, *other) in wanted for other in chosen.items()), value, axis)
            for axis in range(len(self.extents))
            if axis not in chosen
            for value in self.values(axis)
        )


def sample(space: Space) -> Sequence[Row]:
    """Rows in which every admissible pair of values occurs, the row of usual values first.

    Greedy: each row begins with a pair that is still missing and takes, axis by axis, the value
    that brings most missing pairs, the usual one where it makes no difference.
    """
    search = _Search(space)
    missing = set(_all_pairs(search))
    usual = search.completed({}, set())
    rows = [] if usual is None else [usual]
    missing.difference_update(*(_pairs_of(row) for row in rows))
    while missing:
        tried = []
        for pair in sorted(missing)[:: max(1, len(missing) // ROWS_TRIED)]:
            row = search.completed(dict(pair), missing)
            if row is None:
                missing.discard(pair)
            else:
                tried.append((-len(missing & _pairs_of(row)), row))
        if tried:
            rows.append(min(tried)[1])
            missing -= _pairs_of(rows[-1])
    for axis, value in (*search.plainly, *search.alone):
        row = search.completed({axis: value}, set())
        rows += [] if row is None or row in rows else [row]
    return rows


def _all_pairs(search: _Search) -> Iterator[Pair]:
    for one, other in itertools.combinations(range(len(search.extents)), 2):
        for pair in itertools.product(search.values(one), search.values(other)):
            yield (one, pair[0]), (other, pair[1])


def _pairs_of(row: Row) -> set[Pair]:
    return set(itertools.combinations(enumerate(row), 2))


def _pair(axis: int, value: int, other_axis: int, other_value: int) -> Pair:
    one, other = sorted(((axis, value), (other_axis, other_value)))
    return one, other
