"""Which misconceptions a submission has.

A submission *has* a mistake when it answers as the mistaken reference does wherever that differs
from the right one. All single mistakes are tried, then, when none explains every wrong answer, all
pairs. Small questions come first in `answers`, so most candidates are out after one of them.

Mistakes that leave values right are named from what was seen: see `misconception.Sign`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import CallPlan, Raised
from studyattn.grading.compare import Comparison, Fault, agree, distance
from studyattn.grading.cost.limits import claim_holds
from studyattn.grading.diagnosis.pair_screening import likely_pairs
from studyattn.grading.drawn_case import AGAIN, HALF_PRECISION
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Misconception, Mistake, Sign, singles
from studyattn.grading.oracle import Failed, leaves, moved, narrowed, try_out
from studyattn.grading.tolerance import COARSEST, EPSILON, allowance
from studyattn.grading.verdict import Diagnosis, NamedMistake

SLACK = 4.0
"""A mistaken reference may amplify rounding more than the right one, whose tolerance is used."""

LARGEST_UNIT = 1e-3
"""What one rounding may do to a mistaken answer, relative to it, for an agreement to mean much."""

MOST = 0.5
"""The share of wrong answers that must be predicted; on the others the mistaken reference fails, or
a rounding decides its answer."""

LENGTH = 64
"""The length of sums in a mistaken reference, which may run over more than one axis."""

SHOWN = 3
"""Diagnoses that a learner is shown at most."""


@dataclass(frozen=True, slots=True)
class _Match:
    """The agreement of a mistake with the submission on all cases."""

    mistake: Mistake
    explained: int  # wrong answers that it predicts
    raised: int  # questions that neither it nor the submission can answer
    max_error: float

    @property
    def rank(self) -> tuple[float, ...]:
        """Low for what explains most, with the fewest mistakes.

        Of equals the drill lists the likeliest first: how rounding falls decides nothing.
        """
        return (-self.explained, len(self.mistake.ids), -self.raised)


def diagnose(drill: Drill, answers: Sequence[JudgedCase]) -> Iterator[tuple[Diagnosis, ...] | None]:
    """Yield what the submission has, best first; before that None for each mistake that is tried.

    Empty when nothing of the drill explains it.
    """
    signs = _signs(drill, answers)
    if signs and signs[0].sign is Sign.FORBIDDEN_CALL:
        yield (Diagnosis(_named(signs[:1]), 0, 0),)
        return
    judged = [entry for entry in answers if entry.about_values]
    # What rounding to half precision does to a mistake, no reference in float32 predicts.
    in_full = [entry for entry in judged if entry.question.case.dtype not in HALF_PRECISION]
    judged = in_full if any(entry.off for entry in in_full) else judged
    failed = sum(entry.off for entry in judged)
    by_value: list[Diagnosis] | None
    for by_value in _by_value(drill, judged, failed):
        if by_value is None:
            yield None
        else:
            values_right = all(entry.passed for entry in judged)
            yield _together(by_value, signs, failed, values_right=values_right)


def _together(
    by_value: Sequence[Diagnosis],
    signs: Sequence[Misconception],
    failed: int,
    *,
    values_right: bool,
) -> tuple[Diagnosis, ...]:
    """Join what explains values and what was seen besides."""
    if by_value:
        # What explains the values explains how coarse they are and, in full, that they vary.
        in_full = by_value[0].explained == failed
        explained = {Sign.LOW_PRECISION, Sign.TWO_ANSWERS} if in_full else {Sign.LOW_PRECISION}
        signs = tuple(entry for entry in signs if entry.sign not in explained)
    if not by_value:
        # A result that is cut off and wrong as well is wrong for a reason that is not known.
        known = [entry for entry in signs if values_right or entry.sign is not Sign.NO_GRADIENT]
        return tuple(Diagnosis(_named([entry]), 0, failed) for entry in known)[:SHOWN]
    if signs and by_value[0].explained == failed:
        best = by_value[0]
        together = (*best.mistakes, *_named(signs))
        first = Diagnosis(together, best.explained, failed, best.max_error)
        return (first, *by_value[1:])[:SHOWN]
    return (*by_value, *(Diagnosis(_named([entry]), 0, failed) for entry in signs))[:SHOWN]


def _named(misconceptions: Iterable[Misconception]) -> tuple[NamedMistake, ...]:
    return tuple(
        NamedMistake(each.id, each.title, each.formula, each.concept, in_values=bool(each.ways))
        for each in misconceptions
    )


def _by_value(
    drill: Drill, judged: Sequence[JudgedCase], failed: int
) -> Iterator[list[Diagnosis] | None]:
    """Yield what explains every wrong value: single mistakes; where none does, two at once.

    Before that, None for each that is tried. Code that raises instead of answering says nothing of
    its mistakes. What a mistake explains in part is not named: see `nearest`.
    """
    found: list[_Match] = []
    if failed:
        yield from _tried(found, drill, judged, singles(drill.misconceptions))
        if not found and not _nothing_but_zeros(judged):
            with np.errstate(all="ignore"):
                likely = tuple(likely_pairs(drill, judged))
            yield from _tried(found, drill, judged, likely)
    found = [match for match in found if match.explained >= MOST * failed]
    found.sort(key=lambda match: match.rank)
    diagnoses: list[Diagnosis] = []
    for match in found:
        if not any(set(entry.misconceptions) <= set(match.mistake.ids) for entry in diagnoses):
            mistakes = _named(match.mistake.misconceptions)
            diagnoses.append(Diagnosis(mistakes, match.explained, failed, match.max_error))
    yield diagnoses


def _nothing_but_zeros(judged: Sequence[JudgedCase]) -> bool:
    """Zeros are the same whatever led to them: two mistakes that make zeros say nothing."""
    return not any(np.any(part.values) for entry in judged for part in entry.comparisons)


def _tried(
    found: list[_Match], drill: Drill, judged: Sequence[JudgedCase], mistakes: Iterable[Mistake]
) -> Iterator[None]:
    """Add to `found` what explains all wrong answers, and denies none."""
    in_order = [
        (entry, narrowed(entry.question.program, wide=entry.in_float64)) for entry in judged
    ]
    # What answers with a state is asked in the order of the run, all else where it shows soonest.
    soonest = [in_order[place] for place in most_telling(judged)]
    for mistake in mistakes:
        with np.errstate(all="ignore"):  # not around a yield, which would leave it on outside
            match = _match(drill, in_order if mistake.has_state else soonest, mistake)
        if match is not None:
            found.append(match)
        yield None


def _match(
    drill: Drill,
    asked: Sequence[tuple[JudgedCase, CallPlan]],
    mistake: Mistake,
) -> _Match | None:
    """None as soon as an answer is not what the mistake predicts."""
    functions = drill.functions(mistake.change())
    explained = raised = 0
    max_error = 0.0
    for answered, program in asked:
        predicted = try_out(program, functions)
        if isinstance(predicted, Failed) or not answered.comparisons:
            if answered.comparisons and not answered.off and len(mistake.misconceptions) > 1:
                return None  # of two mistakes one may be made only sometimes, but hardly both
            raised += isinstance(predicted, Failed) and not answered.comparisons
            continue
        values = [value for _register, _part, value in leaves(predicted)]
        if len(values) != len(answered.comparisons):
            return None
        if _same_as_right(answered, values):
            if answered.off:
                return None
            continue
        errors = [
            distance(entry.values, value)
            for entry, value in zip(answered.comparisons, values, strict=True)
        ]
        agrees = _agrees(answered, values, errors, program, drill.functions(mistake.change()))
        if agrees is None:
            continue
        if not agrees:
            return None
        if answered.off:  # what is right to within its tolerance speaks for no mistake
            explained += 1
            max_error = max(max_error, *errors)
    return _Match(mistake, explained, raised, max_error) if explained else None


def _same_as_right(answered: JudgedCase, values: Sequence[Any]) -> bool:
    """Return whether the mistake makes no difference here."""
    return all(
        agree(entry.leaf.values, value, entry.leaf.tolerance)
        for entry, value in zip(answered.comparisons, values, strict=True)
    )


def _agrees(
    answered: JudgedCase,
    values: Sequence[Any],
    errors: Sequence[float],
    program: CallPlan,
    functions: Mapping[str, Callable[..., Any]],
) -> bool | None:
    """Return whether `errors` are within tolerance, or rounding of the mistaken reference.

    None where a rounding of the inputs decides what the mistaken reference answers: it divides by
    a sum that is 0 or next to it, and nothing can be told from that.
    """
    allowed = [SLACK * entry.leaf.tolerance for entry in answered.comparisons]
    if all(error <= most for error, most in zip(errors, allowed, strict=True)):
        return True
    shifted = try_out(moved(program, np.random.default_rng(0)), functions)
    if isinstance(shifted, Failed):
        return False
    determined = 0
    for entry, value, (*_, other), most in zip(
        answered.comparisons, values, leaves(shifted), allowed, strict=True
    ):
        if np.shape(entry.values) != np.shape(value):
            return False
        largest = LARGEST_UNIT * max(1.0, float(np.max(np.abs(entry.leaf.values), initial=0.0)))
        change, error = _apart(value, other), _apart(entry.values, value)
        sure = change <= largest
        unit = float(np.max(change, initial=0.0, where=sure))
        if not np.all(error <= max(most, SLACK * allowance(unit, LENGTH)), where=sure):
            return False
        determined += int(np.sum(sure))
    return True if determined else None


def _apart(one: Any, other: Any) -> NDArray[np.float64]:
    """Return the distance of two arrays in every entry; NaN equals NaN, and infinity itself."""
    first, second = np.asarray(one, np.float64), np.asarray(other, np.float64)
    same = (first == second) | (np.isnan(first) & np.isnan(second))
    difference = np.where(same, 0.0, np.abs(first - second))
    return np.where(np.isnan(difference), np.inf, difference)


# ── mistakes that show in what happened ──────────────────────────────────────────────────────────


def _signs(drill: Drill, answers: Sequence[JudgedCase]) -> tuple[Misconception, ...]:
    """Misconceptions of the drill whose sign was seen, in the order of their weight."""
    seen: dict[Sign | None, bool] = {
        Sign.FORBIDDEN_CALL: any(
            isinstance(entry.outcome, Raised) and entry.outcome.forbidden for entry in answers
        ),
        Sign.INPUT_CHANGED: any(entry.changed for entry in answers),
        Sign.RESULT_CHANGED: any(entry.overwritten for entry in answers),
        Sign.TWO_ANSWERS: any(_two_answers(entry) for entry in answers),
        _of_gradients(answers): True,
        Sign.LOW_PRECISION: _low_precision(answers),
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

    A result that is cut off from all inputs is that, whatever its values are.
    """
    values_right = all(entry.passed for entry in answers if entry.about_values)
    faults = [
        part.fault
        for entry in answers
        if entry.question.case.gradients and entry.wrong
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


def _low_precision(answers: Sequence[JudgedCase]) -> bool:
    """Every wrong answer is right to the precision of a coarser dtype, and off at random.

    Most are off by no more than one rounding of it: some inputs magnify rounding, a wrong formula
    is far off on most. What is off under one condition alone has another reason. Large scores are
    left out: they may overflow in a coarser dtype.
    """
    judged = [entry for entry in answers if entry.about_values and entry.question.case.spread <= 1]
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
    """Rounding makes some numbers larger, others smaller; a wrong formula mostly one of these."""
    grown = shrunk = 0
    for part in parts:
        difference = np.abs(part.values) - np.abs(part.leaf.values)
        grown += int(np.sum(difference > 0))
        shrunk += int(np.sum(difference < 0))
    return min(grown, shrunk) > ONE_SIDED * (grown + shrunk)


ONE_SIDED = 0.15
"""The share of entries below which their errors are not called random."""
