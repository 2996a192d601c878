"""The calls that a case asks of a submission: the judge writes them, the worker makes them.

A program is a list of steps over named registers. It holds inputs only, never an expected value,
so that nothing in the worker's memory can tell a submission what it should have answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Layout(StrEnum):
    """The memory layout of an input. Its values are the same; a careless reshape is not."""

    CONTIGUOUS = "contiguous"
    TRANSPOSED = "transposed"  # last two axes swapped in memory: strides descend wrongly
    STRIDED = "strided"  # every second element of a larger buffer
    PERMUTED = "permuted"  # the third axis from the end inside the second, as after splitting heads
    EXPANDED = "expanded"  # one entry for all along the first of three axes or more: a stride of 0
    READ_ONLY = "read-only"  # numpy only: an in-place change raises

    def of_axes(self, count: int) -> Layout:
        """Return this layout, or the nearest that an array of so many axes can have."""
        least, other = _FEWER_AXES.get(self, (0, self))
        return self if count >= least else other.of_axes(count)


_FEWER_AXES = {
    Layout.TRANSPOSED: (2, Layout.STRIDED),
    Layout.STRIDED: (1, Layout.CONTIGUOUS),
    Layout.PERMUTED: (3, Layout.CONTIGUOUS),
    Layout.EXPANDED: (3, Layout.CONTIGUOUS),
}
"""The axes that an array needs for a layout, and the layout of one that has fewer."""


@dataclass(frozen=True, slots=True)
class ArrayInput:
    """One array, drawn in float64 (or bool or int64) and handed over as `dtype`.

    Two arguments of one call with the same object for `values` are handed over as one array.
    """

    values: NDArray[np.generic]
    dtype: str  # float64 | float32 | float16 | bfloat16 | bool | int64 | int32
    layout: Layout = Layout.CONTIGUOUS
    requires_grad: bool = False  # torch only


@dataclass(frozen=True, slots=True)
class Register:
    """A value that an earlier step made. `index` takes one part of a tuple."""

    name: str
    index: int | None = None


Argument = ArrayInput | Register | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Call:
    """Call `function` of the submission, or the method `function` of register `on`.

    `function` is ``"()"`` when the register itself is called. The result is kept in `into`.
    A call made with `measured` reports its floating-point operations and largest array, one made
    with `timed` its seconds: it is not watched for forbidden calls, since watching takes time. Its
    arrays are written into those of the call that made register `over`, where they fit.
    """

    function: str
    args: tuple[Argument, ...] = ()
    kwargs: Mapping[str, Argument] = field(default_factory=dict)
    on: str | None = None
    into: str = "result"
    over: str | None = None
    measured: bool = False
    timed: bool = False

    def with_arguments(self, change: Callable[[Argument], Argument]) -> Call:
        """Return the same call with each argument changed."""
        args = tuple(change(argument) for argument in self.args)
        kwargs = {name: change(argument) for name, argument in self.kwargs.items()}
        return replace(self, args=args, kwargs=kwargs)


@dataclass(frozen=True, slots=True)
class Backward:
    """Torch only: gradients of `sum(output · grad)` for every input of step `call` that asks.

    The register becomes a tuple in the order of the call's arguments, then of its keyword
    arguments. A gradient that does not exist is None: the result does not depend on that input,
    or is not differentiable at all.
    """

    call: str  # the register whose making is differentiated
    grad: ArrayInput
    into: str = "gradients"
    index: int | None = None  # which part, when the call gave a tuple


Step = Call | Backward


@dataclass(frozen=True, slots=True)
class CallPlan:
    """Steps in order, and the registers to send back when they have run.

    With `check_inputs`, arrays handed over are compared with what they were; a change is reported
    as ``STEP.POSITION`` or ``STEP.KEYWORD``: ``0.1`` is the second argument of the first step.
    An array of more than `max_elements` is described instead of sent back. With `memory`, what is
    held is counted in bytes, which makes all steps slower.
    """

    steps: tuple[Step, ...]
    returns: tuple[str, ...] = ("result",)
    check_inputs: bool = True
    max_elements: int = 1 << 24
    memory: bool = False

    @property
    def calls(self) -> tuple[Call, ...]:
        """The steps that are calls."""
        return tuple(step for step in self.steps if isinstance(step, Call))

    def arrays(self) -> Iterator[ArrayInput]:
        """Yield the arrays that the calls are given, keyword arguments last."""
        for call in self.calls:
            for argument in (*call.args, *call.kwargs.values()):
                if isinstance(argument, ArrayInput):
                    yield argument


@dataclass(frozen=True, slots=True)
class ArrayOutput:
    """One array as it came back: exact bytes and what the worker said of them."""

    values: NDArray[np.generic]  # bfloat16 and float16 arrive widened to float32
    dtype: str  # the dtype that the submission returned
    device: str
    kind: str  # "torch.Tensor", "numpy.ndarray", or the type's name when it is neither


@dataclass(frozen=True, slots=True)
class OtherOutput:
    """Something that is no dense array of the backend; `description` is safe to show."""

    type_name: str
    description: str


Output = ArrayOutput | OtherOutput | int | float | bool | str | None
Returned = Output | tuple["Returned", ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """The total cost of the measured calls of a program. Counted, never timed.

    What is `kept` is there after all calls: what the caller holds to go on, and all else.
    """

    flops: int
    largest_array: int  # elements of the largest array made
    largest_product: int = 0  # elements of the largest one made by a product of matrices
    most_held: int = 0  # bytes that were there at once, beside those before the call
    kept: int = 0  # bytes


@dataclass(frozen=True, slots=True)
class Finished:
    """The program ran to its end.

    `seconds` are what its timed calls took, on the worker's word: to look at, not to judge by.
    `printed`, here and below, is what was printed meanwhile.
    """

    registers: Mapping[str, Returned]
    changed_inputs: tuple[str, ...] = ()
    changed_results: tuple[str, ...] = ()  # registers that a later step, or its inputs, wrote over
    usage: Usage | None = None
    seconds: float | None = None
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """The submission raised. `line` is the line in the learner's file nearest to the error.

    Without a `type_name` it raised nothing: what an earlier call returned cannot be used.
    """

    type_name: str
    message: str
    line: int | None
    step: int
    forbidden: str | None = None  # the forbidden function's name, when that is why
    printed: str = ""

    @property
    def told(self) -> str:
        """The error as Python writes it, or the message alone."""
        return f"{self.type_name}: {self.message}" if self.type_name else self.message


@dataclass(frozen=True, slots=True)
class Invalid:
    """The submission could not be loaded, so no program ran: every program has this outcome."""

    message: str
    line: int | None = None
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The worker is gone or was ended: nothing came back, nor from the programs after it."""

    how: str  # timeout | memory | crashed
    detail: str
    printed: str = ""


Outcome = Finished | Raised | Invalid | Ended
