"""Measure how far rounding moves the right answer to a program, and so how far off one may be.

Nothing here looks at a submission: what is allowed follows from the inputs and the reference.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from studyattn.grading.call_plan import CallPlan
from studyattn.grading.domain import FLOATS
from studyattn.grading.drill import Drill
from studyattn.grading.oracle import carry_out, leaves, moved
from studyattn.grading.tolerance import EPSILON, allowance, rounding

FEW = 256
"""Entries of an answer that may all happen to move little at once: these are moved twice."""

GRADIENT_STEPS = 8.0
"""A gradient goes through every step twice more, and its terms may be larger than their sum."""

SCORE_ROUNDINGS = 4.0
"""Roundings of a score, and of the log of their sum, before the exponential of the difference."""

Place = tuple[str, int | None]
"""A register, and the part of what it holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Conditioning:
    """The effect of rounding on one program's answers.

    Args:
        dtype: of the inputs.
        length: terms of the longest sum.
        inputs: one rounding of the largest input.
        largest_score: of what is exponentiated; e^s loses as many digits as s has before its point.
        movements: how far each answer moves with its inputs; gradients are not measured.
    """

    dtype: str
    length: int
    inputs: float
    largest_score: float
    movements: Mapping[Place, float]

    def tolerance(
        self, place: Place, value: Any, slack: float = 1.0, *, of_shares: bool = False
    ) -> float:
        """The largest error that a right answer at `place` may have; none where it is counted.

        Shares are exponentials over their sum: one rounding of what is exponentiated moves each in
        proportion to it, so that small ones have as many digits as large ones.
        """
        if not isinstance(value, np.ndarray | float):
            return 0.0
        value = np.asarray(value)
        largest = float(np.max(np.abs(value), initial=0.0))
        movement = self.movements.get(place)
        if of_shares and movement is not None:
            unit = max(self.inputs * largest, movement)
        else:
            unit = max(self.inputs, rounding(value, self.dtype))
            unit = GRADIENT_STEPS * unit if movement is None else max(unit, movement)
        of_weights = SCORE_ROUNDINGS * EPSILON[self.dtype] * self.largest_score
        return slack * (allowance(unit, self.length) + of_weights * largest)


def _finer(dtype: str) -> float:
    """One rounding of what is computed from whole numbers: in float32, or in float64."""
    return EPSILON["float64" if dtype == "float64" else "float32"]


def measure(
    drill: Drill,
    program: CallPlan,
    answers: Mapping[str, Any],
    dtype: str,
    generator: np.random.Generator,
) -> Conditioning:
    """Move the inputs of `program` by one rounding of `dtype`; see how far its `answers` go."""
    largest_score = 0.0
    watched: dict[str, Callable[..., Any]] = {}
    if drill.exponents is not None:
        exponents_of = getattr(drill.steps, drill.exponents)

        def watch(*args: Any, **kwargs: Any) -> Any:
            nonlocal largest_score
            scores = exponents_of(*args, **kwargs)
            largest_score = max(largest_score, float(np.max(np.abs(scores), initial=0.0)))
            return scores

        watched[drill.exponents] = watch
    if drill.rounded is not None:
        exact = getattr(drill.steps, drill.rounded)

        def round_off(*args: Any, **kwargs: Any) -> Any:
            made = exact(*args, **kwargs)
            noise = generator.choice((-1.0, 1.0), made.shape)  # whole ones: few may be moved
            return made * np.where(made == 1.0, 1.0, 1.0 + _finer(dtype) * noise)

        watched[drill.rounded] = round_off
    functions = drill.functions(watched)
    movements = _movements(program, answers, functions, generator)
    floats = [each.values for each in program.arrays() if each.dtype in FLOATS]
    # The longest sum in the program has at most as many terms as its longest axis.
    length = max((extent for values in floats for extent in values.shape), default=1)
    largest = np.array([np.max(np.abs(values), initial=0.0) for values in floats])
    return Conditioning(dtype, length, rounding(largest, dtype), largest_score, movements)


def _movements(
    program: CallPlan,
    answers: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]],
    generator: np.random.Generator,
) -> dict[Place, float]:
    """Return how far each answer goes when the inputs are moved; gradients are left out."""
    asked = dataclasses.replace(
        program,
        steps=program.calls,
        returns=tuple(name for name in program.returns if not name.startswith("gradients")),
    )
    right = {(register, part): value for register, part, value in leaves(answers)}
    movements: dict[Place, float] = {}
    entries = sum(np.size(value) for value in right.values())
    for _ in range(2 if entries <= FEW else 1):
        shifted = carry_out(moved(asked, generator), functions)
        for register, part, value in leaves(shifted):
            place = (register, part)
            apart = 1 * value - 1 * right[place]  # of truth values, too
            movement = float(np.max(np.abs(apart), initial=0.0))
            movements[place] = max(movements.get(place, 0.0), movement)
    return movements
