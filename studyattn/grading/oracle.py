"""The right answer to a program: the reference in numpy float64, and its exact derivatives.

The oracle carries out the same programs as the worker, on functions of the reference. With a
mistake among the steps, it says what a submission that has this mistake answers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import Argument, ArrayInput, Backward, Call, CallPlan, Register
from studyattn.grading.domain import FLOATS
from studyattn.grading.drill import arguments
from studyattn.grading.tolerance import EPSILON

Answer = Any
"""An array, a number, or a tuple of answers."""

TINY = 1e-30
"""Step of a complex-step derivative; it has no cancellation, so it may be as small as one likes."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A mistaken reference cannot answer: shapes that do not fit, for example."""

    message: str


def carry_out(program: CallPlan, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Answer]:
    """The registers that `program` returns. What the functions raise passes through."""
    registers: dict[str, Answer] = {}
    calls: list[Call] = []
    with np.errstate(all="ignore"):
        for step in program.steps:
            if isinstance(step, Backward):
                registers[step.into] = _gradients(step, calls, functions)
            else:
                registers[step.into] = _call(step, registers, functions)
                calls.append(step)
    return {name: registers[name] for name in program.returns}


def try_out(
    program: CallPlan, functions: Mapping[str, Callable[..., Any]]
) -> dict[str, Answer] | Failed:
    """The registers, or `Failed` where a mistaken function cannot handle these shapes."""
    try:
        return carry_out(program, functions)
    except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
        return Failed(str(error))


def leaves(answers: Mapping[str, Answer]) -> Iterator[tuple[str, int | None, Any]]:
    """Every array or number of `answers`, with its register and its part there."""
    for register, answer in answers.items():
        if isinstance(answer, tuple):
            for part, value in enumerate(answer):
                yield register, part, value
        else:
            yield register, None, answer


def moved(program: CallPlan, generator: np.random.Generator) -> CallPlan:
    """The same program with every floating-point input moved by at most one rounding."""

    def move(array: ArrayInput) -> NDArray[Any]:
        noise = generator.uniform(-1.0, 1.0, array.values.shape)
        return array.values.astype(np.float64) * (1.0 + EPSILON[array.dtype] * noise)

    return _with_floats(program, move)


def narrowed(program: CallPlan, *, wide: bool = False) -> CallPlan:
    """The same program on arrays of the inputs' dtype, float32 where numpy has no such dtype.

    What overflows in a submission overflows there too. `wide`: the submission computes in float64.
    """

    def narrow(array: ArrayInput) -> NDArray[Any]:
        return array.values.astype(np.float64 if wide or array.dtype == "float64" else np.float32)

    return _with_floats(program, narrow)


def _with_floats(program: CallPlan, change: Callable[[ArrayInput], NDArray[Any]]) -> CallPlan:
    """The same program with every floating-point input's values changed."""

    def changed(argument: Argument) -> Argument:
        if isinstance(argument, ArrayInput) and argument.dtype in FLOATS:
            return ArrayInput(
                change(argument), argument.dtype, argument.layout, argument.requires_grad
            )
        return argument

    steps = tuple(
        step.with_arguments(changed) if isinstance(step, Call) else step for step in program.steps
    )
    return CallPlan(steps, program.returns)


def _call(
    call: Call, registers: Mapping[str, Answer], functions: Mapping[str, Callable[..., Any]]
) -> Answer:
    args = [_value(argument, registers) for argument in call.args]
    kwargs = {name: _value(argument, registers) for name, argument in call.kwargs.items()}
    if call.on is None:
        return _as_arrays(functions[call.function](*args, **kwargs))
    target = registers[call.on]
    method = target if call.function == "()" else getattr(target, call.function)
    return _as_arrays(method(*args, **kwargs))


def _as_arrays(answer: Answer) -> Answer:
    """The answer with numpy's scalars, which its reductions give, as arrays of shape `()`.

    Those that count or say yes or no are plain numbers.
    """
    if isinstance(answer, tuple):
        return tuple(map(_as_arrays, answer))
    if isinstance(answer, np.integer | np.bool_):
        return answer.item()
    return np.asarray(answer) if isinstance(answer, np.generic) else answer


def _value(argument: Argument, registers: Mapping[str, Answer]) -> Any:
    if isinstance(argument, ArrayInput):
        return argument.values
    if isinstance(argument, Register):
        value = registers[argument.name]
        return value if argument.index is None else value[argument.index]
    return argument


def _gradients(
    step: Backward, calls: Sequence[Call], functions: Mapping[str, Callable[..., Any]]
) -> tuple[NDArray[np.float64], ...]:
    """Differentiate Σ output · grad by every input that asks, an entry at a time, by complex steps.

    All `calls` up to the one that is differentiated are made again for each. Im f(x + ih) / h is
    the derivative to the last digit (Squire and Trapp 1998): the reference is analytic wherever
    it is differentiable.
    """
    *before, call = calls[: [made.into for made in calls].index(step.call) + 1]
    inputs = list(arguments(call))

    def objective() -> complex:
        split = len(call.args)
        changed = dataclasses.replace(
            call,
            args=tuple(inputs[:split]),
            kwargs=dict(zip(call.kwargs, inputs[split:], strict=True)),
        )
        answer = carry_out(CallPlan((*before, changed), (call.into,)), functions)[call.into]
        if step.index is not None:
            answer = answer[step.index]
        return complex(np.vdot(step.grad.values, answer))

    gradients = []
    for position, argument in enumerate(inputs):
        if not isinstance(argument, ArrayInput) or not argument.requires_grad:
            continue
        gradient = np.zeros(argument.values.shape)
        for index in np.ndindex(gradient.shape):
            values = argument.values.astype(np.complex128)
            values[index] += TINY * 1j
            inputs[position] = dataclasses.replace(argument, values=values)
            gradient[index] = objective().imag / TINY
        inputs[position] = argument
        gradients.append(gradient)
    return tuple(gradients)
