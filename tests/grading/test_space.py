"""Declared conditions: which pairs a sample covers, what it leaves out, how cases are named."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.grading.space import ORDINARY, Excluded, Space, sample


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    extents = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    axes = {
        f"axis{axis}": {f"{axis}.{value}": {f"set{axis}": value} for value in range(extent)}
        for axis, extent in enumerate(extents)
    }
    excluded = [
        Excluded(
            "why not",
            **{
                axis: draw(st.sampled_from(sorted(axes[axis])))
                for axis in draw(st.lists(st.sampled_from(sorted(axes)), min_size=2, max_size=3))
            },
        )
        for _ in range(draw(st.integers(0, 4)))
    ]
    return Space(axes, tuple(excluded))


@given(spaces())
def test_a_sample_has_every_admissible_pair_and_nothing_excluded(space: Space) -> None:
    names = [list(values) for values in space.axes.values()]
    admitted = [
        row
        for row in itertools.product(*(range(len(each)) for each in names))
        if not any(
            all(
                names[axis][value] in excluded.values.get(name, names[axis])
                for axis, (name, value) in enumerate(zip(space.axes, row, strict=True))
            )
            for excluded in space.excluded
        )
    ]
    pairs = {pair for row in admitted for pair in itertools.combinations(enumerate(row), 2)}
    rows = sample(space)
    assert set(rows) <= set(admitted)
    assert {pair for row in rows for pair in itertools.combinations(enumerate(row), 2)} == pairs


def test_a_sample_is_small_and_always_the_same() -> None:
    axes: dict[str, dict[str, dict[str, int]]] = {
        str(axis): {f"{axis}.{each}": {} for each in range(4)} for axis in range(6)
    }
    rows = sample(Space(axes))
    assert rows == sample(Space(axes))
    assert len(rows) <= 28  # 16 are the fewest that there can be, and 4096 are all


def test_a_condition_is_named_by_what_is_unusual_in_it() -> None:
    space = Space(
        {
            "dtype": {"float32": {}, "half precision": {"dtype": "float16"}},
            "n": {"few": {"n": 3, "d": 2}, "many": {"n": 3000, "d": 1}},
            "d": {"narrow": {}, "wide": {"d": 9}},
        },
        (Excluded("each sets d", n="few", d="wide"),),
        alone=("many",),
    )
    assert space.conditions == {
        ORDINARY: {"n": 3, "d": 2},
        "half precision": {"dtype": "float16", "n": 3, "d": 2},
        "many": {"n": 3000, "d": 1},
    }


def test_a_value_asked_plainly_meets_the_others_and_stands_by_itself() -> None:
    axes: dict[str, dict[str, dict[str, int]]] = {
        "dtype": {"float32": {}, "half precision": {}},
        "n": {"few": {}, "many": {}},
        "arrays": {"three": {}, "one array": {}},
    }
    assert "one array" not in Space(axes).conditions
    asked = Space(axes, plainly=("one array",)).conditions
    assert set(asked) == {*Space(axes).conditions, "one array"}


def test_mistakes_in_a_space_are_told() -> None:
    with pytest.raises(ValueError, match="no axis has 'halves'"):
        Space({"dtype": {"float32": {}}}, (Excluded("no", dtype="halves"),))
    with pytest.raises(ValueError, match="'b' sets what another axis sets"):
        _ = Space({"one": {"a": {"n": 1}}, "other": {"b": {"n": 2}}}).conditions
