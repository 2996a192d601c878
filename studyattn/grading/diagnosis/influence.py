"""Find the inputs that an answer does not depend on, by giving one of them other numbers.

An input that changes the right answer but not this one is not used by the code: that is a fact,
however the code is written.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.errors import DrillError
from studyattn.grading.call_plan import ArrayInput
from studyattn.grading.compare import Comparison
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.domain import FLOATS
from studyattn.grading.drawn_case import DrawnCase, draw_case, with_numbers
from studyattn.grading.drill import Case, Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Observation

QUESTIONS = 3
"""Wrong answers that this is tried on, the largest: a small one may leave one key to look at."""

DRAWS = 8
"""Drawings from which an input gets other numbers."""

LARGEST = 500
"""Numbers that a question may have."""

CLEARLY = 32.0
"""Times the tolerance from which on an answer is another one."""

ROUNDING = 2e-6
"""The share of an answer in float32 that rounding may change."""

SEEN = 1e-4
"""The share of an answer from which on a change of it is seen."""


def influence(drill: Drill, judged: Sequence[JudgedCase], ask_again: Ask) -> Iterator[Observation]:
    """Observe which inputs have no effect though they should.

    What was answered wrongly is drawn again in usual numbers. Where an input is zero, scores are
    very large or there is but one of something, an answer may well not depend on it.
    """
    same: dict[str, bool] = {}  # by input: the answer stayed as it was each time
    seen: set[str] = set()  # inputs whose change should have been seen
    tried = 0
    suitable = sorted(filter(_is_suitable, judged), key=lambda each: each.question.elements)
    for each in suitable[-QUESTIONS:]:
        with contextlib.suppress(DrillError):
            found = list(_effects(drill, each.question, ask_again))
            tried += bool(found)
            for name, is_same, should in found:
                same[name] = same.get(name, True) and is_same
                seen |= {name} if should else set()
    names = " or ".join(name for name in same if same[name] and name in seen)
    if names:
        told = f"Changes of {names} do not change the result"
        yield Observation("effect", f"{told} (tried on {tried} of the wrong answers).")


def _is_suitable(entry: JudgedCase) -> bool:
    """Return whether all of an answer can be compared, and its inputs are small."""
    case = entry.question.case
    is_plain = case.dtype in {"float32", "float64"} and not (case.twice or entry.changed)
    return is_plain and _is_compared(entry) and entry.question.elements <= LARGEST


def _is_compared(entry: JudgedCase) -> bool:
    """Return whether values are wrong, all of which can be compared."""
    return entry.off and all(
        part.max_error is not None and isinstance(part.values, np.ndarray)
        for part in entry.comparisons
    )


def _effects(drill: Drill, wrong: DrawnCase, ask_again: Ask) -> Iterator[tuple[str, bool, bool]]:
    """Yield each input, with whether other numbers leave the answer, and should change it."""
    case = _in_usual_numbers(drill, wrong.case)
    question, *others = (draw_case(drill, case, (1 << 22, *range(n))) for n in range(DRAWS + 1))
    if any(1 in each.values.shape[-2:] for each in question.program.arrays()):
        return
    changed = [each for other in others for each in _changed(drill, question, other)]
    base, *answers = ask_again([question, *(each for _, each in changed)])
    for (name, _), answered in zip(changed, answers, strict=True) if _is_compared(base) else ():
        yield name, *_stays(base, answered)


def _stays(base: JudgedCase, answered: JudgedCase) -> tuple[bool, bool]:
    """Return whether the answer is the one of `base`, and whether it should be another then."""
    parts = list(zip(base.comparisons, answered.comparisons, strict=False))
    is_same = bool(parts) and all(itertools.starmap(_is_unseen, parts))
    return is_same, is_same and any(itertools.starmap(_should_be_seen, parts))


def _in_usual_numbers(drill: Drill, case: Case) -> Case:
    """Return the case without what makes its numbers large, whole or special."""
    usual = {name for sizes in drill.small for name in sizes}
    sizes = {
        name: size
        for name, size in case.sizes.items()
        if name in usual or not isinstance(size, float)  # how much larger some numbers are
    }
    return dataclasses.replace(case, spread=1.0, whole=False, forms={}, sizes=sizes)


def _changed(
    drill: Drill, question: DrawnCase, other: DrawnCase
) -> Iterator[tuple[str, DrawnCase]]:
    """Yield each input that is given for one argument alone, with the numbers of another drawing.

    Those come with the question that has them.
    """
    numbers = _fresh_numbers(question, other)
    for call in question.calls:
        of = "" if len(question.calls) == 1 else f" of {call.into.strip('_')}"
        for name, given in drill.named_arguments(call):
            if isinstance(given, ArrayInput) and id(given.values) in numbers:
                fresh = numbers[id(given.values)]
                change = functools.partial(_exchanged, given.values, fresh)
                yield f"`{name}`{of}", with_numbers(drill, question, change)


def _fresh_numbers(question: DrawnCase, other: DrawnCase) -> dict[int, NDArray[Any]]:
    """Return other numbers for the arrays that are one argument alone, by their identity."""
    times = Counter(id(each.values) for each in question.program.arrays())
    return {
        id(one.values): its.values
        for one, its in zip(question.program.arrays(), other.program.arrays(), strict=False)
        if one.dtype in FLOATS
        if one.values.shape == its.values.shape and times[id(one.values)] == 1
    }


def _exchanged(old: object, new: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    return new if values is old else values


def _is_unseen(before: Comparison, after: Comparison) -> bool:
    """Return whether an answer stays as it was; a change may change its shape."""
    return (
        after.max_error is not None
        and np.shape(before.values) == np.shape(after.values)
        and bool(_is_same(before.values, after.values, ROUNDING).all())
    )


def _should_be_seen(before: Comparison, after: Comparison) -> bool:
    right = (before.leaf.values, after.leaf.values)
    least = CLEARLY * after.leaf.tolerance
    return np.shape(right[0]) != np.shape(right[1]) or not _is_same(*right, SEEN, least).all()


def _is_same(
    one: NDArray[np.float64], other: NDArray[np.float64], share: float, least: float = 0.0
) -> NDArray[np.bool_]:
    """Return which entries are the same, but for this share of them or as much as the `least`."""
    most = np.maximum(least, share * np.maximum(np.abs(one), np.abs(other)))
    return np.asarray(np.abs(one - other) <= most)
