"""The known mistake that comes nearest, where none explains every wrong answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studyattn.grading.compare import agree, distance
from studyattn.grading.drawn_case import predicted
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Mistake, singles
from studyattn.grading.oracle import Failed, leaves, narrowed, try_out
from studyattn.grading.verdict import Observation

ASKED = 3
"""Wrong answers of which a mistake has to explain one to be tried on all."""

LEAST = 0.25
"""The share of wrong answers that a mistake has to explain to be near."""

SLACK = 4.0
"""A mistaken reference may amplify rounding more than the right one, whose tolerance is used."""

NEARER = 8.0
"""Times nearer to an answer than the right one that the mistake's has to be, to explain it."""


def nearest(drill: Drill, judged: Sequence[JudgedCase]) -> Observation | None:
    """Name the mistake that explains the most wrong answers, and how many. None if none is near.

    It has to leave right what is right: then no answer speaks against it.
    """
    off = [judged[place] for place in most_telling(judged) if judged[place].off]
    right = [entry for entry in judged if entry.comparisons and not entry.off]
    # What raises instead of answering is not explained.
    best, found = None, LEAST * sum(entry.wrong for entry in judged)
    with np.errstate(all="ignore"):
        for mistake in singles(drill.misconceptions) if off else ():
            if any(_explains(drill, mistake, entry) for entry in off[:ASKED]):
                explained = sum(_explains(drill, mistake, entry) for entry in off)
                if explained > found and all(_leaves_right(drill, mistake, each) for each in right):
                    best, found = mistake.misconceptions[0], explained
    if best is None:
        return None
    text = f"The nearest known mistake: “{best.title}” It explains {found} of {len(off)} wrong"
    return Observation("nearest", f"{text} answers.", best.id)


def _explains(drill: Drill, mistake: Mistake, answered: JudgedCase) -> bool:
    """Return whether mending the mistake would bring this answer nearer to the right one."""
    values = _answers(drill, mistake, answered)
    return values is not None and all(
        agree(part.values, value, SLACK * part.leaf.tolerance)
        and (
            part.fault is None
            or NEARER * distance(part.values, value) <= distance(part.values, part.leaf.values)
        )
        for part, value in zip(answered.comparisons, values, strict=True)
    )


def _leaves_right(drill: Drill, mistake: Mistake, answered: JudgedCase) -> bool:
    values = _answers(drill, mistake, answered)
    return values is not None and all(
        agree(part.leaf.values, value, SLACK * part.leaf.tolerance)
        for part, value in zip(answered.comparisons, values, strict=True)
    )


def _answers(drill: Drill, mistake: Mistake, answered: JudgedCase) -> list[object] | None:
    """Return what code with this mistake answers; None where it fails or answers in other parts."""
    if answered.in_float64:
        program = narrowed(answered.question.program, wide=True)
        answers = try_out(program, drill.functions(mistake.change()))
    else:
        answers = predicted(drill, mistake, answered.question)
    if isinstance(answers, Failed):
        return None
    values = [value for _register, _part, value in leaves(answers)]
    return values if len(values) == len(answered.comparisons) else None
