"""The search for the misconceptions of a submission.

A submission *has* a mistake when it answers as the mistaken reference does wherever that differs
from the right one. All single mistakes are tried, then, when none explains every wrong answer, all
pairs. Small questions come first in `answers`, so most candidates are out after one of them.

Mistakes that leave values right are named from what was seen: see `misconception.Sign`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.compare import agree, distance
from studyattn.grading.diagnosis.signs import Ask, signs_of, with_another_run
from studyattn.grading.drawn_case import HALF_PRECISION, predicted
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Misconception, Mistake, Sign, pairs, singles
from studyattn.grading.oracle import Answer, Failed, leaves, moved, narrowed, try_out
from studyattn.grading.tolerance import allowance
from studyattn.grading.verdict import Diagnosis, NamedMistake

SLACK = 4.0
"""A mistaken reference may amplify rounding more than the right one, whose tolerance is used."""

LARGEST_UNIT = 1e-3
"""What one rounding may do to a mistaken answer, relative to it, for an agreement to mean much."""

MOST = 0.5
"""The share of wrong answers that must be predicted; on the others the mistaken reference fails, or
a rounding decides its answer."""

FAR = 16.0
"""Times the tolerance: no rounding to half precision brings a mistaken answer so near."""

LENGTH = 64
"""The length of sums in a mistaken reference, which may run over more than one axis."""

LEAST = 0.25
"""The share of wrong and missing answers that a mistake has to explain."""

NEARER = 8.0
"""Times nearer to an answer than the right one that the mistake's has to be, to explain it."""

PROBES = 9
"""Questions that each mistake is tried on alone, before pairs are."""

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

    def is_certain(self, failed: int, unanswered: int) -> bool:
        """Return whether nothing explains more: of equals the first is named, unless of pairs."""
        in_full = (self.explained, self.raised) == (failed, unanswered)
        return in_full and len(self.mistake.ids) == 1


def diagnose(
    drill: Drill, answers: Sequence[JudgedCase], ask_again: Ask
) -> Iterator[tuple[Diagnosis, ...] | None]:
    """Yield what the submission has, best first; before that None for each mistake that is tried.

    Empty when nothing of the drill explains it. As soon as the first name is certain it is yielded
    alone, while others that explain as much are looked for. `ask_again` asks questions in a fresh
    worker.
    """
    signs = signs_of(drill, answers)
    forbidden = drill.misconception_of(Sign.FORBIDDEN_CALL)
    if forbidden in signs:
        yield (Diagnosis(_named(signs[:1]), 0, 0),)
        return
    judged, in_half = _about_values(answers)
    failed = sum(entry.off for entry in judged)
    unanswered = sum(not entry.comparisons for entry in judged)
    found: list[_Match] = []
    is_told = False
    for match in _matches(drill, judged, in_half):
        found += [] if match is None else [match]
        if match is None or is_told or not match.is_certain(failed, unanswered):
            yield None
        else:
            is_told = True
            yield _together(_diagnoses(found[-1:], failed, unanswered), signs, failed, judged)
    by_value = _diagnoses(found, failed, unanswered)
    if not by_value:  # what explains the values explains how coarse they are
        signs = with_another_run(drill, answers, signs, ask_again)
    yield _together(by_value, signs, failed, judged)


def _about_values(answers: Sequence[JudgedCase]) -> tuple[list[JudgedCase], list[JudgedCase]]:
    """Return the answers that a mistake is compared with, and those that may only deny it.

    What rounding to half precision does to a mistake, no reference in float32 predicts.
    """
    judged = [
        entry for entry in answers if entry.about_values and not entry.question.case.by_rounding
    ]
    in_half = [entry for entry in judged if entry.question.case.dtype in HALF_PRECISION]
    in_full = [entry for entry in judged if entry not in in_half]
    return (in_full, in_half) if any(entry.off for entry in in_full) else (judged, [])


def _together(
    by_value: Sequence[Diagnosis],
    signs: Sequence[Misconception],
    failed: int,
    judged: Sequence[JudgedCase],
) -> tuple[Diagnosis, ...]:
    """Join what explains values and what was seen besides."""
    in_full = bool(by_value) and by_value[0].explained == failed
    hidden: set[Sign | None] = set()
    if in_full:
        hidden = {Sign.TWO_ANSWERS}  # what explains all values explains that they vary
    elif not by_value and any(entry.wrong for entry in judged):
        # A result that is cut off, not kept or costs too much, and is wrong as well, is wrong for a
        # reason that is not known. A mistake of cost may have no sign.
        hidden = {Sign.NO_GRADIENT, Sign.RESULT_CHANGED, Sign.COST, None}
    besides = _named(entry for entry in signs if entry.sign not in hidden)
    if not in_full:
        return (*by_value, *(Diagnosis((each,), 0, failed) for each in besides))[:SHOWN]
    best, *others = by_value
    first = Diagnosis((*best.mistakes, *besides), best.explained, failed, best.max_error)
    return (first, *others)[:SHOWN]


def _named(misconceptions: Iterable[Misconception]) -> tuple[NamedMistake, ...]:
    return tuple(
        NamedMistake(each.id, each.title, each.formula, each.concept, in_values=bool(each.ways))
        for each in misconceptions
    )


def _diagnoses(found: Sequence[_Match], failed: int, unanswered: int) -> list[Diagnosis]:
    """Return what explains enough, best first; of ways of a mistake the best.

    It has to explain half of the wrong answers, and a quarter of them with the missing ones: the
    few values of code that mostly raises agree with a mistake by chance.
    """
    ranked = sorted(found, key=lambda match: match.rank)
    diagnoses: list[Diagnosis] = []
    for match in () if _hide_each_other(ranked) else ranked:
        enough = match.explained + match.raised >= LEAST * (failed + unanswered)
        known = any(set(entry.misconceptions) <= set(match.mistake.ids) for entry in diagnoses)
        if match.explained >= MOST * failed and enough and not known:
            mistakes = _named(match.mistake.misconceptions)
            diagnoses.append(Diagnosis(mistakes, match.explained, failed, match.max_error))
    return diagnoses


def _hide_each_other(ranked: Sequence[_Match]) -> bool:
    """Return whether pairs explain as much: one mistake hides what the others do."""
    best = {frozenset(each.mistake.ids) for each in ranked if each.rank == ranked[0].rank}
    return len(best) > 1 and all(len(ids) > 1 for ids in best)


def _matches(
    drill: Drill, judged: Sequence[JudgedCase], in_half: Sequence[JudgedCase]
) -> Iterator[_Match | None]:
    """Yield the single mistakes that explain wrong answers and deny none, then pairs if none does.

    None stands for each that was tried in vain.
    """
    tried = functools.partial(_match, drill, most_telling(judged), in_half)
    values = [
        part.values for entry in judged for part in entry.comparisons if part.values is not None
    ]
    # NaN throughout is the same whatever led to it.
    if not any(entry.off for entry in judged) or not any(map(_has_finite, values)):
        return
    found = False
    for mistake in singles(drill.misconceptions):
        match = tried(mistake)
        found |= match is not None
        yield match
    # Zeros are the same whatever led to them: two mistakes that make zeros say nothing.
    if not found and any(map(np.any, values)):
        yield from map(tried, likely_pairs(drill, judged))


def _denies(drill: Drill, answered: JudgedCase, mistake: Mistake) -> bool:
    """Return whether a right answer in half precision is far from what the mistake answers.

    What is wrong in half precision denies nothing: a bound or a small number may vanish there.
    """
    if answered.off:
        return False
    values = _values(predicted(drill, mistake, answered.question))
    return any(
        FAR * part.leaf.tolerance < distance(part.leaf.values, value) < np.inf
        for part, value in zip(answered.comparisons, values, strict=False)
    )


def _has_finite(values: Any) -> bool:
    """Tell whether any number is finite; whole numbers of any size are."""
    array = np.asarray(values)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).any())


@np.errstate(all="ignore")
def _match(
    drill: Drill, asked: Sequence[JudgedCase], in_half: Sequence[JudgedCase], mistake: Mistake
) -> _Match | None:
    """None as soon as an answer is not what the mistake predicts, or one `in_half` denies it."""
    raised, errors = 0, list[float]()
    for answered in asked:
        told = _told_by(drill, answered, mistake)
        if told is None:
            return None
        raised += isinstance(told, Failed)
        errors += [] if isinstance(told, Failed) else told
    if not errors or any(_denies(drill, entry, mistake) for entry in in_half):
        return None
    return _Match(mistake, len(errors), raised, max(errors))


def _told_by(drill: Drill, answered: JudgedCase, mistake: Mistake) -> list[float] | Failed | None:
    """Return the largest error of an answer that the mistake explains, or `Failed` for both.

    Nothing where the answer says nothing of the mistake, and None where it denies it.
    """
    answers = _answers(drill, answered, mistake)
    if not answered.comparisons:
        return answers if isinstance(answers, Failed) else []
    if isinstance(answers, Failed):
        # Of two mistakes one may be made only sometimes, but hardly both.
        return [] if answered.off or len(mistake.misconceptions) == 1 else None
    values = _values(answers)
    is_same = _same_as_right(answered, values)
    agrees = not answered.off if is_same else _agrees(drill, answered, mistake, values)
    if agrees is False:
        return None
    # What is right to within its tolerance speaks for no mistake.
    return [max(_errors(answered, values))] if agrees and answered.off else []


def _answers(
    drill: Drill, answered: JudgedCase, mistake: Mistake, *, nudged: bool = False
) -> dict[str, Answer] | Failed:
    """Return what code with the mistake answers, in float64 where the submission answered so.

    With `nudged`, its inputs are moved by at most one rounding.
    """
    if not answered.in_float64:
        return predicted(drill, mistake, answered.question, nudged=nudged)
    program = narrowed(answered.question.program, wide=True)
    if nudged:
        program = moved(program, np.random.default_rng(0))
    return try_out(program, drill.functions(mistake.change()))


def _values(answers: Mapping[str, Answer] | Failed) -> list[Any]:
    return [] if isinstance(answers, Failed) else [value for *_, value in leaves(answers)]


def _same_as_right(answered: JudgedCase, values: Sequence[Any]) -> bool:
    """Return whether the mistake makes no difference here."""
    return len(values) == len(answered.comparisons) and all(
        agree(entry.leaf.values, value, entry.leaf.tolerance)
        for entry, value in zip(answered.comparisons, values, strict=True)
    )


def _is_nearer_to_right(answered: JudgedCase, values: Sequence[Any]) -> bool:
    """Return whether a part is right though the mistake makes it otherwise, if only by little."""
    return not answered.off and any(
        not agree(entry.leaf.values, value, entry.leaf.tolerance)
        and NEARER * distance(entry.values, entry.leaf.values) <= distance(entry.values, value)
        for entry, value in zip(answered.comparisons, values, strict=True)
    )


def _errors(answered: JudgedCase, values: Sequence[Any]) -> list[float]:
    return [*map(distance, (entry.values for entry in answered.comparisons), values)]


def _agrees(
    drill: Drill, answered: JudgedCase, mistake: Mistake, values: Sequence[Any]
) -> bool | None:
    """Return whether errors are within tolerance, or rounding of the mistaken reference.

    `values` are the mistaken answer. None where a rounding of the inputs decides it: the mistaken
    reference divides by a sum that is 0 or next to it, and nothing can be told from that.
    """
    if len(values) != len(answered.comparisons):
        return False
    allowed = [SLACK * entry.leaf.tolerance for entry in answered.comparisons]
    errors = _errors(answered, values)
    if all(error <= most for error, most in zip(errors, allowed, strict=True)):
        return not _is_nearer_to_right(answered, values)
    others = _answers(drill, answered, mistake, nudged=True)
    if isinstance(others, Failed):
        return False
    determined = 0
    for entry, value, (*_, other), most in zip(
        answered.comparisons, values, leaves(others), allowed, strict=True
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
    return not _is_nearer_to_right(answered, values) if determined else None


def _apart(one: Any, other: Any) -> NDArray[np.float64]:
    """Return the distance of two arrays in every entry; NaN equals NaN, and infinity itself."""
    first, second = np.asarray(one, np.float64), np.asarray(other, np.float64)
    same = (first == second) | (np.isnan(first) & np.isnan(second))
    difference = np.where(same, 0.0, np.abs(first - second))
    return np.where(np.isnan(difference), np.inf, difference)


def likely_pairs(drill: Drill, judged: Sequence[JudgedCase]) -> Iterator[Mistake]:
    """The pairs that the answers to the smallest questions do not speak against.

    There are thousands. What one mistake does to a few tiny questions holds for all its pairs.
    A submission that is right where one mistake of a pair alone is wrong, and wrong where neither
    is, does not have both: one mistake hardly ever makes up for another.
    """
    probes = [entry for entry in most_telling(judged) if entry.comparisons][:PROBES]
    passed = {entry for entry in probes if not entry.off}
    wrong = {*probes} - passed
    effects = {  # by the identity of each way
        id(mistake.ways[0]): _answered_otherwise(drill, mistake, probes)
        for mistake in singles(drill.misconceptions)
    }
    for pair in pairs(drill.misconceptions):
        first, second = (effects[id(way)] for way in pair.ways)
        if not (passed & (first ^ second) or wrong - (first | second)):
            yield pair


@np.errstate(all="ignore")
def _answered_otherwise(
    drill: Drill, mistake: Mistake, probes: Sequence[JudgedCase]
) -> set[JudgedCase]:
    """Return the questions to which the mistake's answer is not the right one."""
    return {
        entry
        for entry in probes
        if not _same_as_right(entry, _values(predicted(drill, mistake, entry.question)))
    }
