"""The known mistake that comes nearest, where none explains every wrong answer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from studyattn.grading.compare import agree
from studyattn.grading.diagnosis.words import said
from studyattn.grading.drawn_case import predicted
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Mistake, singles
from studyattn.grading.oracle import Failed, leaves, narrowed, try_out
from studyattn.grading.verdict import Observation

ASKED = 3
"""Wrong answers on which every mistake is tried; the best are tried on all."""

LEAST = 0.25
"""The share of wrong answers that a mistake has to explain to be near."""

FAILING = 2
"""Mistakes that fail alike of which it is still worth telling."""

SLACK = 4.0
"""A mistaken reference may amplify rounding more than the right one, whose tolerance is used."""


def nearest(drill: Drill, judged: Sequence[JudgedCase]) -> Observation | None:
    """Name the mistake that explains the most wrong answers, and how many. None if none is near.

    Where nothing came back at all, name the one that fails on just the same questions.
    """
    off = [judged[place] for place in most_telling(judged) if judged[place].off]
    with np.errstate(all="ignore"):
        if not off:
            return _of_failures(drill, judged)
        right = [entry for entry in judged if entry.comparisons and not entry.off]
        return _of_values(drill, off, right)


def _of_values(
    drill: Drill, off: Sequence[JudgedCase], right: Sequence[JudgedCase]
) -> Observation | None:
    tried = [
        (_explained(drill, mistake, off[:ASKED]), mistake)
        for mistake in singles(drill.misconceptions)
    ]
    best = max((count for count, _mistake in tried), default=0)
    if not best:
        return None
    found, first = 0, tried[0][1]
    for count, mistake in tried:
        if count == best:
            explained = _explained(drill, mistake, off, more_than=found)
            if explained > found:
                found, first = explained, mistake
    (misconception,) = first.misconceptions
    if found < LEAST * len(off):
        return None
    if found < len(off) and _gets_wrong(drill, first, right, found):
        return None
    but = ", and would get others wrong" if found == len(off) else ""
    explains = f"It explains {found} of {len(off)} wrong answers{but}."
    text = f"The nearest known mistake: “{misconception.title}” {explains}"
    return said("sometimes" if but else "nearest", text, misconception.id)


def _explained(
    drill: Drill, mistake: Mistake, off: Sequence[JudgedCase], *, more_than: int = 0
) -> int:
    """Count the answers that code with this mistake gives just so.

    The count is not finished where it cannot become `more_than` that.
    """
    count = 0
    for left, answered in zip(range(len(off), 0, -1), off, strict=True):
        if count + left <= more_than:
            break
        count += _predicts(drill, mistake, answered)
    return count


def _gets_wrong(drill: Drill, mistake: Mistake, right: Sequence[JudgedCase], found: int) -> bool:
    """Tell whether code with this mistake gets more right answers wrong than the `found` it gives.

    Then it is near by chance: many mistakes give NaN, or the one value where there is one key.
    """
    misses = (entry for entry in right if not _predicts(drill, mistake, entry))
    return next(itertools.islice(misses, found, None), None) is not None


def _predicts(drill: Drill, mistake: Mistake, answered: JudgedCase) -> bool:
    if answered.in_float64:
        program = narrowed(answered.question.program, wide=True)
        answers = try_out(program, drill.functions(mistake.change()))
    else:
        answers = predicted(drill, mistake, answered.question)
    if isinstance(answers, Failed):
        return False
    values = [value for _register, _part, value in leaves(answers)]
    return len(values) == len(answered.comparisons) and all(
        agree(part.values, value, SLACK * part.leaf.tolerance)
        for part, value in zip(answered.comparisons, values, strict=True)
    )


def _of_failures(drill: Drill, judged: Sequence[JudgedCase]) -> Observation | None:
    """Observe code whose every answer is right or missing."""
    if all(entry.comparisons for entry in judged):
        return None
    # First what did not answer, which most mistakes do: they are out at once.
    in_order = sorted(
        (judged[place] for place in most_telling(judged)), key=lambda entry: bool(entry.comparisons)
    )
    same = {
        mistake.misconceptions[0].id: mistake.misconceptions[0]
        for mistake in singles(drill.misconceptions)
        if _fails_alike(drill, mistake, in_order)
    }
    if not 0 < len(same) <= FAILING:
        return None
    titles = " or ".join(f"“{misconception.title}”" for misconception in same.values())
    text = f"Code that fails the same cases: {titles}"
    return said("nearest", text, next(iter(same)) if len(same) == 1 else None)


def _fails_alike(drill: Drill, mistake: Mistake, in_order: Sequence[JudgedCase]) -> bool:
    functions = drill.functions(mistake.change())
    return all(
        isinstance(try_out(narrowed(entry.question.program), functions), Failed)
        is not bool(entry.comparisons)
        for entry in in_order
    )
