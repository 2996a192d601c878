"""Mistakes that leave values right, or nearly so, and show in what happened (`misconception.Sign`).

Each is named only where just what its title says was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studyattn.grading.call_plan import Raised
from studyattn.grading.compare import Comparison, Fault, agree
from studyattn.grading.cost.limits import claim_holds
from studyattn.grading.diagnosis.kept_state import Ask
from studyattn.grading.diagnosis.precision import loses_precision
from studyattn.grading.drawn_case import AGAIN
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import Misconception, Sign
from studyattn.grading.tolerance import EPSILON

DECIMALS = 8
"""Decimals to which numbers are rounded at most, if they are."""

TINY = 1e-300
"""More than the distance of 0 from itself."""


def signs_of(
    drill: Drill, answers: Sequence[JudgedCase], ask_again: Ask
) -> tuple[Misconception, ...]:
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
        Sign.LOW_PRECISION: not rounded and loses_precision(drill, answers, ask_again),
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
