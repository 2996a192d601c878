"""Mistakes that leave values right, or nearly so, and show in what happened (`misconception.Sign`).

Each is named only where just what its title says was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Raised
from studyattn.grading.compare import Comparison, Fault, agree
from studyattn.grading.cost.limits import claim_holds
from studyattn.grading.drawn_case import AGAIN, DrawnCase
from studyattn.grading.drill import Drill, arguments
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import Misconception, Sign
from studyattn.grading.tolerance import COARSEST, EPSILON

DECIMALS = 8
"""Decimals to which numbers are rounded at most, if they are."""

TINY = 1e-300
"""More than the distance of 0 from itself."""


def signs_of(drill: Drill, answers: Sequence[JudgedCase]) -> tuple[Misconception, ...]:
    """Misconceptions of the drill whose sign was seen, in the order of their weight."""
    rounded = _rounded_to_decimals(answers)
    seen: dict[Sign | None, bool] = {
        Sign.FORBIDDEN_CALL: any(
            isinstance(entry.outcome, Raised) and entry.outcome.forbidden for entry in answers
        ),
        Sign.INPUT_CHANGED: any(entry.changed for entry in answers),
        Sign.RESULT_CHANGED: any(entry.overwritten for entry in answers),
        Sign.TWO_ANSWERS: any(_two_answers(entry) for entry in answers),
        _of_gradients(answers): True,
        Sign.ROUNDED: rounded,
        Sign.LOW_PRECISION: not rounded and _low_precision(answers),
    }
    limit = drill.limit if any(entry.over_limit for entry in answers) else None
    over = [limit.misconception] if limit is not None and claim_holds(limit, answers) else []
    by_sign = {entry.sign: entry for entry in drill.misconceptions if entry.sign is not None}
    found = (by_sign[sign] for sign, is_seen in seen.items() if is_seen and sign in by_sign)
    return (*found, *over)


def _two_answers(answered: JudgedCase) -> bool:
    """The same call, made twice on the same inputs, gave different numbers."""
    if not answered.question.case.twice or answered.changed:
        return False
    by_place = {(entry.leaf.register, entry.leaf.part): entry for entry in answered.comparisons}
    for (register, part), first in by_place.items():
        second = by_place.get((register + AGAIN, part))
        if second is None or first.values is None or second.values is None:
            continue
        if not agree(first.values, second.values, first.leaf.tolerance):
            return True
    return False


def _of_gradients(answers: Sequence[JudgedCase]) -> Sign | None:
    """Return what is wrong with gradients; None where wrong values or an error explain it.

    A result that is cut off from all inputs is that, whatever its values are. One of another shape
    has no gradient that could be compared.
    """
    values_right = all(entry.passed for entry in answers if entry.about_values)
    faults = [
        part.fault
        for entry in answers
        if entry.question.case.gradients and entry.wrong
        if not any(part.fault in {Fault.KIND, Fault.SHAPE} for part in entry.comparisons)
        for part in entry.comparisons
        if part.leaf.register.startswith("gradients")
    ]
    cut_off = bool(faults) and all(fault is Fault.NO_GRADIENT for fault in faults)
    if cut_off or (values_right and Fault.NO_GRADIENT in faults):
        return Sign.NO_GRADIENT
    if values_right and Fault.NOT_FINITE in faults:
        return Sign.GRADIENT_NOT_FINITE
    if values_right and Fault.VALUES in faults:
        return Sign.WRONG_GRADIENT
    return None


def _rounded_to_decimals(answers: Sequence[JudgedCase]) -> bool:
    """Return whether a result, wherever it is wrong, is the right one rounded to some decimals.

    It need not be the only one that is wrong: others may be computed with it.
    """
    faulty: dict[tuple[str, int | None], list[tuple[JudgedCase, Comparison]]] = {}
    for entry in answers:
        if entry.about_values and entry.question.case.dtype in {"float32", "float64"}:
            for part in entry.comparisons:
                if part.fault:
                    place = (part.leaf.register.removesuffix(AGAIN), part.leaf.part)
                    faulty.setdefault(place, []).append((entry, part))
    return any(
        len(parts) > 1 and any(_all_have_decimals(parts, number) for number in range(DECIMALS + 1))
        for parts in faulty.values()
    )


def _all_have_decimals(parts: Sequence[tuple[JudgedCase, Comparison]], number: int) -> bool:
    unit = 10.0**-number
    for entry, part in parts:
        values, right = part.values, part.leaf.values
        if part.fault is not Fault.VALUES or not isinstance(values, np.ndarray):
            return False
        roundings = EPSILON[entry.question.case.dtype] * np.abs(values)
        off_the_grid = np.abs(values - np.round(values / unit) * unit)
        if not np.all(off_the_grid <= 4 * roundings + TINY):
            return False
        if not np.all(np.abs(values - right) <= 0.5001 * unit + part.leaf.tolerance):
            return False
    return True


def _low_precision(answers: Sequence[JudgedCase]) -> bool:
    """Every wrong answer is right to the precision of a coarser dtype, and off at random.

    Most are off by no more than one rounding of it: some inputs magnify rounding, a wrong formula
    is far off on most. What is off under one condition alone has another reason. Large scores and
    inputs are left out: they may overflow in a coarser dtype.
    """
    judged = [
        entry
        for entry in answers
        if entry.about_values and entry.question.case.spread <= 1 and not _has_large(entry.question)
    ]
    if any(entry.wrong and not entry.comparisons for entry in judged):
        return False
    faults = [(entry, part) for entry in judged for part in entry.comparisons if part.fault]
    return (
        bool(faults)
        and all(_right_if_coarser(entry, part) for entry, part in faults)
        and _off_wherever_it_would(judged)
        and np.median([_relative(part) for _entry, part in faults]) <= EPSILON[COARSEST]
        and _off_at_random([part for _entry, part in faults])
    )


def _has_large(question: DrawnCase) -> bool:
    """Return whether an input is so large that half precision may not hold what is made of it."""
    return any(
        np.max(np.abs(argument.values), initial=0.0) > LARGE
        for call in question.calls
        for argument in arguments(call)
        if isinstance(argument, ArrayInput)
    )


def _off_wherever_it_would(judged: Sequence[JudgedCase]) -> bool:
    """Return whether most questions are off in each dtype in which any is, and in float64.

    A coarser number format loses digits under every condition; whole numbers may not show it.
    """
    by_dtype: dict[str, list[bool]] = {"float64": []}
    for entry in judged:
        if not entry.question.case.whole:
            by_dtype.setdefault(entry.question.case.dtype, []).append(entry.wrong)
    return all(
        2 * sum(wrong) >= len(wrong)
        for dtype, wrong in by_dtype.items()
        if any(wrong) or dtype == "float64"
    )


def _right_if_coarser(answered: JudgedCase, part: Comparison) -> bool:
    dtype = answered.question.case.dtype
    if part.fault not in {Fault.VALUES, Fault.COARSER_DTYPE} or part.max_error is None:
        return False
    if not EPSILON[dtype]:
        return False
    coarser = part.leaf.tolerance * EPSILON[COARSEST] / EPSILON[dtype]
    return part.max_error <= coarser


def _relative(part: Comparison) -> float:
    """The largest error, in the size of the largest entry that was expected."""
    largest = float(np.max(np.abs(part.leaf.values), initial=0.0))
    return (part.max_error or 0.0) / (largest or 1.0)


def _off_at_random(parts: Sequence[Comparison]) -> bool:
    """Rounding makes some numbers larger, others smaller; a wrong formula mostly one of these.

    So it does with their sizes. Something added makes all numbers larger, a factor all sizes.
    """
    signed = [part.values - part.leaf.values for part in parts]
    sizes = [np.abs(part.values) - np.abs(part.leaf.values) for part in parts]
    for differences, least in ((signed, ONE_SIDED_SIGN), (sizes, ONE_SIDED)):
        grown = sum(int(np.sum(each > 0)) for each in differences)
        shrunk = sum(int(np.sum(each < 0)) for each in differences)
        if min(grown, shrunk) <= least * (grown + shrunk):
            return False
    return True


LARGE = 100.0
"""A product of a few numbers up to this size has room in float16, whose largest is 65,504."""

ONE_SIDED = 0.15
"""The share of entries below which their errors are not called random."""

ONE_SIDED_SIGN = 0.02
"""The same for errors with their signs, of which many may be the same rounding in many rows."""
