"""The smallest question that shows what is wrong, written out for a person.

The small questions are part of every run, so that in most attempts nothing more has to be asked.
Only when all of them were answered right are they asked again under the failing case's conditions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import Argument, ArrayInput, Call, Raised
from studyattn.grading.compare import Comparison, Fault, wrong_entries
from studyattn.grading.drawn_case import (
    AGAIN,
    BETWEEN,
    SMALL_CASE,
    DrawnCase,
    draw_case,
    small_cases,
)
from studyattn.grading.drill import Case, Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Counterexample

ON_A_SCREEN = 80
"""Numbers handed over that still fit."""

DIGITS = 4
"""Significant digits that are shown, or more where it takes more to see a difference."""

MOST_DIGITS = 17
"""Significant digits that tell any two float64 numbers apart."""


def find(answers: Sequence[JudgedCase]) -> JudgedCase | None:
    """The smallest question answered wrongly, one with a value rather than one that raised."""
    wrong = [entry for entry in answers if entry.wrong and not entry.question.case.costed]
    if not wrong:
        return None
    return min(wrong, key=lambda entry: (_weight(entry), entry.question.elements))


def small_enough(answered: JudgedCase) -> bool:
    return answered.question.elements <= ON_A_SCREEN


def smaller(drill: Drill, like: Case, seed: int) -> tuple[DrawnCase, ...]:
    """Small questions under the conditions of case `like`."""
    return tuple(
        draw_case(drill, case, (seed, 1 << 20, position))
        for position, case in enumerate(small_cases(drill, like))
    )


def write(drill: Drill, answered: JudgedCase) -> Counterexample:
    """The question as inputs by name, with expected and got side by side."""
    part = _shown_part(answered)
    inputs = _inputs(drill, answered.question)
    if part is None:
        expected = answered.question.expected[0]
        got = (
            f"{answered.outcome.type_name}: {answered.outcome.message}"
            if isinstance(answered.outcome, Raised)
            else "nothing"
        )
        return Counterexample(inputs, _plain(expected.values), got, _name_of(drill, answered, None))
    same_shape = isinstance(part.values, np.ndarray) and (
        part.values.shape == part.leaf.values.shape
    )
    wrong = wrong_entries(part.values, part.leaf) if same_shape else None
    right = part.leaf.values
    digits = DIGITS if wrong is None else _digits_apart(part.values[wrong], right[wrong])
    return Counterexample(
        inputs,
        _plain(right, digits),
        part.message if part.values is None else _plain(part.values, digits),
        _where(drill, answered, part),
        None if wrong is None else wrong.tolist(),
    )


def _weight(answered: JudgedCase) -> int:
    """Value questions that answered before the rest; the small ones before all."""
    return (
        2 * (answered.question.case.name != SMALL_CASE and not small_enough(answered))
        + 4 * (not answered.comparisons)
        + 1 * answered.question.case.gradients
    )


def _shown_part(answered: JudgedCase) -> Comparison | None:
    """The first wrong part, one whose values are wrong before one of the wrong form."""
    wrong = [part for part in answered.comparisons if part.fault]
    wrong.sort(key=lambda part: part.fault not in {Fault.VALUES, Fault.NOT_FINITE})
    return wrong[0] if wrong else None


def _inputs(drill: Drill, question: DrawnCase) -> dict[str, Any]:
    """Arguments by the reference's names; where there are several calls, by call."""
    made: dict[str, str] = {}
    inputs: dict[str, Any] = {}
    calls = [call for call in question.calls if not call.into.endswith((AGAIN, BETWEEN))]
    for call in calls:
        function, title = _function(drill, call, made)
        if call.on is None:
            made[call.into] = call.function
        prefix = f"{title}: " if len(calls) > 1 else ""
        names = _parameters(function)
        for name, argument in (*zip(names, call.args, strict=False), *call.kwargs.items()):
            inputs[prefix + name] = _shown(argument)
        if not call.args and not call.kwargs:
            inputs[title] = "()"
    return inputs


def _function(drill: Drill, call: Call, made: dict[str, str]) -> tuple[Callable[..., Any], str]:
    if call.on is None:
        title = call.function if call.into.startswith("_") else call.into
        return drill.reference[call.function], title
    target = drill.reference[made[call.on]]
    method = "__call__" if call.function == "()" else call.function
    return getattr(target, method), (call.function if call.into.startswith("_") else call.into)


def _parameters(function: Callable[..., Any]) -> list[str]:
    names = list(inspect.signature(function).parameters)
    return [name for name in names if name not in {"self", "steps"}]


def _shown(argument: Argument) -> Any:
    return (
        _plain(argument.values)
        if isinstance(argument, ArrayInput)
        else str(argument)
        if (not isinstance(argument, int | float | bool | None))
        else argument
    )


def _digits_apart(got: NDArray[Any], expected: NDArray[Any]) -> int:
    """The fewest significant digits, DIGITS at least, in which every pair of numbers differs."""
    pairs = list(zip(got.tolist(), expected.tolist(), strict=True))
    for digits in range(DIGITS, MOST_DIGITS):
        if all(f"{one:.{digits}g}" != f"{other:.{digits}g}" for one, other in pairs):
            return digits
    return MOST_DIGITS


def _plain(values: Any, digits: int = DIGITS) -> Any:
    """Nested lists of numbers, rounded to so many significant digits."""
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype.kind != "f":
        return values.tolist()
    rounded = [float(f"{value:.{digits}g}") + 0.0 for value in values.reshape(-1).tolist()]
    return np.array(rounded).reshape(values.shape).tolist()


def _where(drill: Drill, answered: JudgedCase, part: Comparison) -> str:
    """`k, token 1 of 2`: the part's name and the first wrong row of it."""
    places = [_name_of(drill, answered, part)]
    values = part.values
    if isinstance(values, np.ndarray) and values.shape == part.leaf.values.shape and values.ndim:
        wrong = np.argwhere(wrong_entries(values, part.leaf))
        if len(wrong):
            places += _row(drill, part, wrong[0].tolist())
    elif part.fault is Fault.SHAPE:
        places.append(part.message)
    return ", ".join(place for place in places if place)


def _row(drill: Drill, part: Comparison, index: Sequence[int]) -> list[str]:
    shape = part.leaf.values.shape
    names = drill.axes[-len(shape) :]
    names = ("batch",) * (len(shape) - len(names)) + tuple(names)
    rows = list(zip(names, index, shape, strict=True))
    if len(rows) > 1:
        rows = rows[:-1]  # an entry of the last axis is seen, not named
    return [f"{name} {place + 1} of {extent}" for name, place, extent in rows if extent > 1] or [
        f"{name} {place + 1} of {extent}" for name, place, extent in rows[-1:]
    ]


def _name_of(drill: Drill, answered: JudgedCase, part: Comparison | None) -> str:
    """Name the one of several answers that is meant."""
    if part is None:
        return ""
    names = []
    several = len({leaf.register for leaf in answered.question.expected}) > 1
    if several:
        names.append(part.leaf.register)
    if part.leaf.part is not None and part.leaf.part < len(drill.parts):
        names.append(drill.parts[part.leaf.part])
    return ", ".join(names)
