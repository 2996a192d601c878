"""One step of AdamW, the optimiser that transformers are trained with (Loshchilov and Hutter 2019).

The weights, their gradient and its two running means have one shape, whatever it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from array_api_compat import array_namespace

from studyattn.attention.steps import Array


def regularise(gradient: Array, weights: Array, decay: float) -> Array:
    """Return the gradient as it is: in AdamW the decay is no part of it."""
    return gradient


def first(mean: Array, gradient: Array, beta: float) -> Array:
    """Move the running mean a little towards the gradient."""
    return beta * mean + (1.0 - beta) * gradient


def second(square: Array, gradient: Array, beta: float) -> Array:
    """Move the running mean of the squares a little towards the gradient's square."""
    return beta * square + (1.0 - beta) * gradient * gradient


def correct(moment: Array, beta: float, step: int) -> Array:
    """Divide by the share of a running mean that is not its zero at the beginning."""
    return moment / (1.0 - beta**step)


def remember(moment: Array, corrected: Array) -> Array:
    """Return what is remembered for the next step: the mean without the correction."""
    return moment


def direction(mean: Array, square: Array, epsilon: float) -> Array:
    """Return where to go: the mean over the root of the squares, ε beside the root."""
    return mean / (array_namespace(square).sqrt(square) + epsilon)


def shrink(weights: Array, rate: float, decay: float) -> Array:
    """Take a share of rate · decay from each weight."""
    return weights * (1.0 - rate * decay)


def move(weights: Array, direction: Array, rate: float) -> Array:
    """Go against the direction in which the loss grows."""
    return weights - rate * direction


@dataclass(frozen=True, slots=True)
class OptimiserSteps:
    """The parts of a step, in order."""

    regularise: Callable[[Array, Array, float], Array] = regularise
    first: Callable[[Array, Array, float], Array] = first
    second: Callable[[Array, Array, float], Array] = second
    correct_first: Callable[[Array, float, int], Array] = correct
    correct_second: Callable[[Array, float, int], Array] = correct
    remember: Callable[[Array, Array], Array] = remember
    direction: Callable[[Array, Array, float], Array] = direction
    shrink: Callable[[Array, float, float], Array] = shrink
    move: Callable[[Array, Array, float], Array] = move


OPTIMISER_STEPS = OptimiserSteps()


def adamw_step(
    weights: Array,
    gradient: Array,
    mean: Array,
    square: Array,
    step: int,
    rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
    *,
    steps: OptimiserSteps = OPTIMISER_STEPS,
) -> tuple[Array, Array, Array]:
    """Return the new weights, mean and square after step number `step`, which counts from 1."""
    gradient = steps.regularise(gradient, weights, decay)
    mean = steps.first(mean, gradient, beta_1)
    square = steps.second(square, gradient, beta_2)
    corrected = steps.correct_first(mean, beta_1, step)
    corrected_square = steps.correct_second(square, beta_2, step)
    go = steps.direction(corrected, corrected_square, epsilon)
    moved = steps.move(steps.shrink(weights, rate, decay), go, rate)
    return moved, steps.remember(mean, corrected), steps.remember(square, corrected_square)
