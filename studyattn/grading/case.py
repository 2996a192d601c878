"""One condition under which a drill is asked, and how its arguments are drawn."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import ArrayInput, Layout
from studyattn.grading.domain import FLOATS
from studyattn.grading.tolerance import rounded

EXPANDABLE = 3
"""Axes from which on an array can be expanded along its first one and still be a matrix."""


@dataclass(frozen=True, slots=True)
class Case:
    """One condition under which a submission must be right.

    `sizes` are arguments of the drill's `ask`.

    Args:
        dtype: of every drawn array.
        layout: how the arrays lie in memory.
        spread: what the arrays that make scores are multiplied with; large makes large logits.
        whole: small whole numbers, as an example on paper would have.
        twice: the same calls once more, after calls with other numbers in the same memory: they
            must answer the same, and leave alone what was returned before.
        gradients: the gradients of every input that is not frozen, torch only.
        gradients_of: "all" of the inputs, the "first" drawn alone, or the "others".
        keywords: arguments that are passed by keyword.
        costed: its calls are measured against the drill's `Limit`; values count too.
        once: its numbers are drawn once for all attempts, as it is its size that matters.
        by_rounding: rounding decides what code with a mistake answers, so that it tells of none.
        forms: what arguments are, by name, of what the domain says that they may be.
    """

    name: str
    sizes: Mapping[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    layout: Layout = Layout.CONTIGUOUS
    spread: float = 1.0
    whole: bool = False
    twice: bool = False
    gradients: bool = False
    gradients_of: str = "all"
    keywords: tuple[str, ...] = ()
    costed: bool = False
    once: bool = False
    by_rounding: bool = False
    forms: Mapping[str, str] = field(default_factory=dict)


def case(name: str, **given: Any) -> Case:
    """A `Case`: what it has a field for sets that field, all the rest are sizes."""
    known = {entry.name for entry in dataclasses.fields(Case)} - {"name", "sizes"}
    settings = {key: value for key, value in given.items() if key in known}
    sizes = {key: value for key, value in given.items() if key not in known}
    return Case(name, sizes, **settings)


class Draw:
    """Draws the arguments of one case."""

    def __init__(self, generator: np.random.Generator, case: Case) -> None:
        self.generator = generator
        self.case = case
        self._drawn = 0

    def array(self, *shape: int, sharp: bool = False) -> ArrayInput:
        """Numbers to compute with. `sharp` ones make scores and take the case's spread.

        Those that are laid out as expanded are the same along their first axis.
        """
        case, whole_shape = self.case, shape
        shape = self._independent(shape)
        if case.dtype not in FLOATS:
            whole = self.generator.integers(-99, 100, shape)
            return ArrayInput(np.broadcast_to(whole, whole_shape).copy(), case.dtype, case.layout)
        if case.whole:
            values = self.generator.choice([-1.0, 0.0, 1.0, 2.0], shape)
        else:
            values = self.generator.standard_normal(shape)
        if sharp:
            values = values * case.spread
        values = np.broadcast_to(rounded(values, case.dtype), whole_shape).copy()
        return ArrayInput(values, case.dtype, case.layout, requires_grad=self._asks_gradient())

    def _independent(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of what is drawn for an array of this shape, of which the rest are copies."""
        if self.case.layout is Layout.EXPANDED and len(shape) >= EXPANDABLE:
            return (min(1, shape[0]), *shape[1:])
        return shape

    def _asks_gradient(self) -> bool:
        """Tell whether the case asks for the gradient of the next array."""
        self._drawn += 1
        of = {"all": True, "first": self._drawn == 1, "others": self._drawn > 1}
        return self.case.gradients and of[self.case.gradients_of]

    def weight(self, rows: int, columns: int, *, frozen: bool = False) -> ArrayInput:
        """A matrix `(rows, columns)` that keeps the size of what goes through it.

        No gradient is asked for a `frozen` one.
        """
        drawn = self.array(rows, columns)
        if frozen:
            drawn = dataclasses.replace(drawn, requires_grad=False)
        if self.case.whole:
            return drawn
        return dataclasses.replace(
            drawn, values=rounded(drawn.values / np.sqrt(rows), self.case.dtype)
        )

    def mask(self, *shape: int) -> ArrayInput:
        """True = may attend. Every row has a True, and a False where it has room for one."""
        whole_shape, shape = shape, self._independent(shape)
        allowed = self.generator.random(shape) < 0.6
        columns = np.arange(shape[-1])
        first = self.generator.integers(0, shape[-1], (*shape[:-1], 1))
        if shape[-1] > 1:
            allowed &= columns != (first + 1) % shape[-1]
        values = np.broadcast_to(allowed | (columns == first), whole_shape).copy()
        return dataclasses.replace(given(values), layout=self.case.layout)

    def lengths(self, count: int, longest: int) -> ArrayInput:
        """`count` different lengths where possible, from 1, one of them less than `longest`."""
        lengths = 1 + self.generator.permutation(longest)[np.arange(count) % longest]
        if count and np.all(lengths == longest):
            lengths[0] = max(1, longest - 1)
        return given(lengths)


def given(values: Any) -> ArrayInput:
    """Exactly these truth values, or these whole numbers."""
    array = np.asarray(values)
    if array.dtype == np.bool_:
        return ArrayInput(array, "bool")
    return ArrayInput(array.astype(np.int64), "int64")


def with_values(array: ArrayInput, values: NDArray[np.generic]) -> ArrayInput:
    """`array` with other values, handed over in the same way."""
    return dataclasses.replace(array, values=values)
