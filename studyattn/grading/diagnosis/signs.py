"""Mistakes that leave values right, or nearly so, and show in what happened (`misconception.Sign`).

Each is named only where just what its title says was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from studyattn.grading.call_plan import Raised
from studyattn.grading.compare import Fault, agree
from studyattn.grading.cost.limits import claim_holds
from studyattn.grading.diagnosis.kept_state import Ask
from studyattn.grading.diagnosis.precision import loses_precision
from studyattn.grading.drawn_case import AGAIN
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import Misconception, Sign


def signs_of(
    drill: Drill, answers: Sequence[JudgedCase], ask_again: Ask
) -> tuple[Misconception, ...]:
    """Misconceptions of the drill whose sign was seen, in the order of their weight."""
    seen: dict[Sign | None, bool] = {
        Sign.FORBIDDEN_CALL: any(
            isinstance(entry.outcome, Raised) and entry.outcome.forbidden for entry in answers
        ),
        Sign.INPUT_CHANGED: any(entry.changed for entry in answers),
        Sign.RESULT_CHANGED: any(entry.overwritten for entry in answers),
        Sign.TWO_ANSWERS: any(_two_answers(entry) for entry in answers),
        _of_gradients(answers): True,
        Sign.LOW_PRECISION: loses_precision(drill, answers, ask_again),
    }
    limit = drill.limit if any(entry.over_limit for entry in answers) else None
    over = [limit.misconception] if limit is not None and claim_holds(limit, answers) else []
    by_sign = {entry.sign: entry for entry in drill.misconceptions if entry.sign is not None}
    found = (by_sign[sign] for sign, is_seen in seen.items() if is_seen and sign in by_sign)
    return (*found, *over)


def _two_answers(answered: JudgedCase) -> bool:
    """The same call, made twice on the same inputs, gave different numbers."""
    parts = {(entry.leaf.register, entry.leaf.part): entry for entry in answered.comparisons}
    twice = [(one, parts.get((name + AGAIN, part))) for (name, part), one in parts.items()]
    return not answered.changed and any(
        one.values is not None
        and (other is not None and other.values is not None)
        and not agree(one.values, other.values, one.leaf.tolerance)
        for one, other in twice
    )


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
