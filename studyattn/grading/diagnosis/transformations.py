"""What turns the right numbers into those that came: a factor, an exchange, an axis reversed.

A fact is told only if it explains every wrong answer to within rounding, and comes far nearer to
each than the right answer does: in half precision, where little is off by more than what rounding
may do, many a wrong guess would fit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import ArrayInput
from studyattn.grading.compare import Comparison, Fault, distance
from studyattn.grading.diagnosis.conditions import known_sizes
from studyattn.grading.diagnosis.words import (
    axis_name,
    every,
    in_every,
    joined,
    named_inputs,
    part_name,
    said,
)
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Observation

Array = NDArray[Any]

SLACK = 4.0
"""Times the tolerance: what was right before a factor or an exchange is off by no more."""

NEARER = 8.0
"""Times nearer that an explanation has to come than the right answer."""

EVIDENCE = 3
"""Numbers beyond those that a fact could be fitted to, for the fact to mean anything."""

_ZERO = 1e-9  # a factor this small is none

MOST_AXES = 4
"""Axes of an answer whose orders are all tried."""


def explains(part: Comparison, guess: Any, size: float = 1.0) -> bool:
    """Return whether `guess` is what came back, of which one rounding is `size` times as large."""
    allowed = SLACK * part.leaf.tolerance * max(1.0, size)
    off = distance(part.values, part.leaf.values)
    if math.isfinite(off):
        allowed = min(allowed, off / NEARER)
    return distance(part.values, guess) <= allowed


def same_numbers(part: Comparison) -> bool:
    """Return whether these are the right numbers in their order, under another shape."""
    return (
        isinstance(part.values, np.ndarray)
        and part.values.size == part.leaf.values.size > 0
        and distance(part.values.reshape(part.leaf.values.shape), part.leaf.values)
        <= part.leaf.tolerance
    )


# ── factors ──────────────────────────────────────────────────────────────────────────────────────


def factor(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that wrong answers are the right ones times a number: one for all, or one each."""
    faulty = [(entry, part) for entry in wrong for part in entry.comparisons if part.fault]
    factors = [(entry, _factor_of(part)) for entry, part in faulty]
    numbers = [number for _entry, number in factors if number is not None]
    size = sum(int(np.size(part.leaf.values)) for _entry, part in faulty)
    if len(numbers) < len(factors) or size < len(factors) + EVIDENCE:
        return None
    subject = every(wrong)
    parts = [part for _entry, part in faulty]
    if np.allclose(numbers, numbers[0], rtol=1e-3):
        told = _one_factor(parts, numbers)
        if told is not None:
            return said("factor", f"{subject} {told}")
    for name, of_size in _factors_of_sizes(drill, wrong):
        if all(_close(number, of_size(entry)) for entry, number in factors) and all(
            _is_times(part, of_size(entry)) for entry, part in faulty
        ):
            return said("factor", f"{subject} is {name} times the correct one.")
    return said("factor", f"{subject} is the correct one times its own factor.")


def _one_factor(parts: Sequence[Comparison], numbers: Sequence[float]) -> str | None:
    """Tell the one factor of all parts with as few digits as make it true; None if none does."""
    if all(abs(number) < _ZERO for number in numbers):
        return "is all zeros."
    if all(_is_times(part, -1.0) for part in parts):
        return "has the wrong sign but the right magnitude."
    precise = min(zip(parts, numbers, strict=True), key=lambda each: each[0].leaf.tolerance)[1]
    for digits in range(4, 10):
        told = f"{precise:.{digits}g}"
        if all(_is_times(part, float(told)) for part in parts):
            return f"is {told} times the correct one."
    return None


def _is_times(part: Comparison, factor: float | None) -> bool:
    """Return whether `part` is the right answer times this factor."""
    if factor is None:
        return False
    if isinstance(part.leaf.values, int):
        return math.isclose(part.values, factor * part.leaf.values, rel_tol=1e-6)
    return explains(part, factor * part.leaf.values, abs(factor))


def _factor_of(part: Comparison) -> float | None:
    """Return the number by which all of `part` is the right answer."""
    values, right = part.values, part.leaf.values
    if isinstance(right, int) and isinstance(values, int) and right:
        return values / right
    if not isinstance(values, np.ndarray) or part.fault is not Fault.VALUES:
        return None
    square = float(np.vdot(right, right))
    if square == 0:
        return None
    number = float(np.vdot(right, values)) / square
    return number if explains(part, number * right, abs(number)) else None


def _factors_of_sizes(
    drill: Drill, wrong: Sequence[JudgedCase]
) -> Iterator[tuple[str, Callable[[JudgedCase], float | None]]]:
    """Yield powers of the sizes of a question, and of products of two, as words and numbers."""
    powers = {1.0: "{}", -1.0: "1/{}", 0.5: "√{}", -0.5: "1/√{}", 2.0: "{}²", -2.0: "1/{}²"}
    names = list(known_sizes(drill, wrong[0].question))
    products = [(name,) for name in names] + list(itertools.combinations(names, 2))
    for (power, words), product in itertools.product(powers.items(), products):
        term = "·".join(product)
        shown = f"({term})" if len(product) > 1 else term

        def of_size(
            entry: JudgedCase, product: tuple[str, ...] = product, power: float = power
        ) -> float | None:
            known = known_sizes(drill, entry.question)
            sizes = [known.get(name, 0) for name in product]
            return float(math.prod(sizes) ** power) if all(size > 0 for size in sizes) else None

        yield words.format(shown), of_size


def _close(number: float | None, expected: float | None) -> bool:
    if number is None or expected is None:
        return False
    return math.isclose(number, expected, rel_tol=1e-3)


def factor_of_rows(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that each row is the correct one times its own factor."""
    rows = 0
    for part in (part for entry in wrong for part in entry.comparisons if part.fault):
        values, right = part.values, part.leaf.values
        if part.fault is not Fault.VALUES or not isinstance(values, np.ndarray) or not values.ndim:
            return None
        if right.shape[-1] < 2:
            continue
        square = np.sum(right * right, axis=-1, keepdims=True)
        factors = np.sum(values * right, axis=-1, keepdims=True) / np.where(square, square, 1.0)
        if not explains(part, factors * right, float(np.max(np.abs(factors), initial=0))):
            return None
        rows += square.size
    if rows < EVIDENCE:
        return None
    return said("factor", f"{in_every(wrong)} each row is the correct one times its own factor.")


NEAR = 0.01
"""The share of an answer's largest number by which it may be off and is near."""


def near(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that every wrong answer is off by little."""
    shares = []
    for part in (part for entry in wrong for part in entry.comparisons if part.fault):
        if part.fault is not Fault.VALUES or not isinstance(part.values, np.ndarray):
            return None
        largest = float(np.max(np.abs(part.leaf.values), initial=0.0))
        off = distance(part.values, part.leaf.values)
        if off > NEAR * largest:
            return None
        shares.append(off / largest)
    text = f"is close to the correct one: off by {100 * max(shares):.2g}% of its largest number."
    return said("near", f"{every(wrong)} {text}")


# ── the right numbers elsewhere ──────────────────────────────────────────────────────────────────


def input_returned(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that every wrong answer is one of the inputs as it was given."""
    shared: set[str] | None = None
    for entry in wrong:
        parts = [part for part in entry.comparisons if part.fault]
        if any(not isinstance(part.values, np.ndarray) for part in parts):
            return None
        same = {
            name
            for name, argument in named_inputs(drill, entry)
            if isinstance(argument, ArrayInput)
            and all(distance(part.values, argument.values) == 0 for part in parts)
        }
        shared = same if shared is None else shared & same
        if not shared:
            return None
    return said("input", f"{every(wrong)} is {min(shared or ('',))} as it was given.")


def exchanged_results(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that some of several results are exchanged."""
    moved: dict[int, int] = {}
    for entry in wrong:
        for part in entry.comparisons:
            if part.fault is None:
                continue
            source = _right_elsewhere(part, entry.comparisons)
            if source is None or moved.setdefault(part.leaf.part or 0, source) != source:
                return None
    if set(moved) != set(moved.values()):
        return None
    names = [part_name(drill, place) for place in sorted(moved)]
    return said("exchanged", f"{in_every(wrong)} the results {joined(names)} are swapped.")


def _right_elsewhere(part: Comparison, all_parts: Sequence[Comparison]) -> int | None:
    """The place in the tuple where the values of `part` would be right."""
    for other in all_parts:
        leaf = other.leaf
        if other is part or leaf.register != part.leaf.register or leaf.part is None:
            continue
        if distance(part.values, leaf.values) <= SLACK * leaf.tolerance:
            return leaf.part
    return None


def moved(drill: Drill, wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that axes of the right numbers are exchanged, reversed or shifted."""
    shared = None
    for part in (part for entry in wrong for part in entry.comparisons if part.fault):
        if not isinstance(part.values, np.ndarray):
            return None
        fitting = set(_moves(part))
        shared = fitting if shared is None else shared & fitting
        if not shared:
            return None
    what, first, second = min(shared or (("", 0, 0),))
    one, other = axis_name(drill, first), axis_name(drill, second)
    words = {
        "exchanged": f"the numbers are correct but two axes are swapped: {one} and {other}.",
        "reversed": f"the numbers are correct but reversed along the axis of {one}.",
        "shifted": f"the numbers are correct but shifted by one along the axis of {one}.",
    }
    return said("axes", f"{in_every(wrong)} {words[what]}")


def _moves(part: Comparison) -> Iterator[tuple[str, int, int]]:
    """Describe the change of axes that turns the right answer into the given one, from the end."""
    right = part.leaf.values
    axes = range(-min(right.ndim, MOST_AXES), 0)
    for first, second in itertools.combinations(axes, 2):
        if explains(part, np.swapaxes(right, first, second)):
            yield "exchanged", first, second
    for axis in axes:
        if right.shape[axis] < 2:
            continue
        if explains(part, np.flip(right, axis)):
            yield "reversed", axis, axis
        if right.shape[axis] > 2 and any(
            explains(part, np.roll(right, by, axis)) for by in (1, -1)
        ):
            yield "shifted", axis, axis
