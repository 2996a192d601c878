"""What a drill asks, declared: its reference, its cases, its misconceptions, its limits of cost.

A pack's `drills/<id>/checks.py` makes one `Drill` and calls it `drill`. Nothing is run here;
`judge` draws the cases, has them carried out and compares.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import STEPS, Steps
from studyattn.grading.call_plan import Argument, ArrayInput, Call, Layout
from studyattn.grading.misconception import Change, Misconception
from studyattn.grading.tolerance import rounded

FLOATS = ("float64", "float32", "float16", "bfloat16")


@dataclass(frozen=True, slots=True)
class Case:
    """One condition under which a submission must be right.

    `sizes` are arguments of the drill's `ask`.

    Args:
        dtype: of every drawn array.
        layout: how the arrays lie in memory.
        spread: what the arrays that make scores are multiplied with; large makes large logits.
        whole: small whole numbers, as an example on paper would have.
        twice: the same calls once more, after calls with other numbers: they must answer the same,
            and leave alone what was returned before.
        gradients: the gradients of every input that is not frozen, torch only.
        costed: its calls are measured against the drill's `Limit`; values count too.
    """

    name: str
    sizes: Mapping[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    layout: Layout = Layout.CONTIGUOUS
    spread: float = 1.0
    whole: bool = False
    twice: bool = False
    gradients: bool = False
    costed: bool = False


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

    def array(self, *shape: int, sharp: bool = False) -> ArrayInput:
        """Numbers to compute with. `sharp` ones make scores and take the case's spread."""
        case = self.case
        if case.whole:
            values = self.generator.choice([-1.0, 0.0, 1.0, 2.0], shape)
        else:
            values = self.generator.standard_normal(shape)
        if sharp:
            values = values * case.spread
        return ArrayInput(
            rounded(values, case.dtype), case.dtype, case.layout, requires_grad=case.gradients
        )

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
        allowed = self.generator.random(shape) < 0.6
        columns = np.arange(shape[-1])
        first = self.generator.integers(0, shape[-1], (*shape[:-1], 1))
        if shape[-1] > 1:
            allowed &= columns != (first + 1) % shape[-1]
        return given(allowed | (columns == first))

    def lengths(self, count: int, longest: int) -> ArrayInput:
        """`count` different lengths where possible, from 1, one of them less than `longest`."""
        lengths = 1 + self.generator.permutation(longest)[np.arange(count) % longest]
        if count and np.all(lengths == longest):
            lengths[0] = max(1, longest - 1)
        return given(lengths)

    def permutation(self, count: int) -> NDArray[np.int64]:
        """The numbers below `count` in another order."""
        return self.generator.permutation(count)


def given(values: Any) -> ArrayInput:
    """Exactly these truth values, or these whole numbers."""
    array = np.asarray(values)
    if array.dtype == np.bool_:
        return ArrayInput(array, "bool")
    return ArrayInput(array.astype(np.int64), "int64")


def with_values(array: ArrayInput, values: NDArray[np.generic]) -> ArrayInput:
    """`array` with other values, handed over in the same way."""
    return dataclasses.replace(array, values=values)


@dataclass(frozen=True, slots=True)
class Limit:
    """What a call may use in the costed case. `misconception` is what it means to use more."""

    misconception: Misconception
    flops: Callable[[Mapping[str, Any]], int] | None = None  # of the case's sizes
    largest_array: Callable[[Mapping[str, Any]], int] | None = None  # elements


@dataclass(frozen=True, slots=True)
class Contrast:
    """Another way to the answer, at another cost, to be measured beside the usual one.

    It is `contrast.py` in the drill's folder (`contrast_numpy.py` where the lines differ), or the
    solution of another `drill` of the pack that can grow too.
    """

    title: str
    drill: str | None = None


@dataclass(frozen=True, slots=True)
class Growth:
    """How the question grows with n, to see how the cost of its last call does.

    Args:
        counts: what n counts, "tokens".
        sizes: the sizes for `ask` at n, alike but for n.
        contrasts: what is measured beside a right submission.
        at: the values of n, each by the same factor larger than the one before.
    """

    counts: str
    sizes: Callable[[int], Mapping[str, Any]]
    contrasts: tuple[Contrast, ...] = ()
    at: tuple[int, ...] = (64, 128, 256, 512, 1024, 2048)


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of the reference whose answers pass too, with a remark.

    Args:
        ways: each the steps of the reference that differ, by name; a question may be answered in
            any of these ways.
        remark: sentences to the learner: what the code does, and what to write instead.
    """

    ways: tuple[Change, ...]
    remark: str


Asked = Call | Sequence[Call]


@dataclass(frozen=True, slots=True)
class Drill:
    """One exercise.

    Args:
        reference: each entry's name and the reference's function or class for it; it takes `steps`.
        ask: draws one question: the calls to make, given a `Draw` and a case's sizes.
        cases: under which conditions it is asked.
        small: sizes that fit on a screen, smallest first; a counterexample has one of them.
        misconceptions: those that can be made here, the likeliest first.
        variants: other forms of the reference that are accepted.
        axes: what the last axes of an answer count, `("query", "value")`.
        parts: names of the parts where an answer is a tuple.
        limit: of cost, judged in the costed cases.
        growth: how the question grows, where its cost is worth a look.
        slack: times the usual tolerance, where usual formulas cancel digits.
        forbidden: functions that do the exercise by themselves, by name.
        backends: the array libraries in which it can be done.
    """

    id: str
    reference: Mapping[str, Callable[..., Any]]
    ask: Callable[..., Asked]
    cases: tuple[Case, ...]
    small: tuple[Mapping[str, Any], ...]
    misconceptions: tuple[Misconception, ...]
    axes: tuple[str, ...]
    variants: tuple[Variant, ...] = ()
    parts: tuple[str, ...] = ()
    limit: Limit | None = None
    growth: Growth | None = None
    slack: float = 1.0
    forbidden: tuple[str, ...] = ()
    backends: tuple[str, ...] = ("torch", "numpy")

    @property
    def entries(self) -> tuple[str, ...]:
        """The names that a submission must define."""
        return tuple(self.reference)

    def functions(self, steps: Steps = STEPS) -> dict[str, Callable[..., Any]]:
        """What a submission defines, done by the reference with these steps."""
        return {
            name: functools.partial(function, steps=steps)
            for name, function in self.reference.items()
        }

    def misconception(self, identifier: str) -> Misconception:
        """The misconception with this id. KeyError when the drill has none."""
        for misconception in self.misconceptions:
            if misconception.id == identifier:
                return misconception
        raise KeyError(identifier)


def arguments(call: Call) -> tuple[Argument, ...]:
    """All arguments of a call, keyword arguments last: the order of its gradients."""
    return (*call.args, *call.kwargs.values())
