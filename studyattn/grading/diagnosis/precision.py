"""Tell too few digits from a wrong formula, by asking the same code again in float64.

Every narrower type that it names is widened. Precision is lost only if it is right then.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from studyattn.grading.diagnosis.kept_state import Ask
from studyattn.grading.drawn_case import draw_case
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.tolerance import COARSEST, EPSILON

ASKED = 6
"""Cases that are asked in float64 at most."""

CALLED = re.compile(rb"\.(?:float|half|bfloat16)\(\)")
NAMED = re.compile(rb"\b(?:float32|float16|bfloat16|half|single)\b")

DEFAULT = b"""
import sys
if "torch" in sys.modules:
    sys.modules["torch"].set_default_dtype(sys.modules["torch"].float64)
"""


def loses_precision(drill: Drill, answers: Sequence[JudgedCase], ask_again: Ask) -> bool:
    """Return whether most wrong answers are nearly right, and all are if it is done in float64.

    Where nothing came back, nothing can be said of digits; numbers may overflow in a coarse type.
    """
    wrong = [entry for entry in answers if entry.about_values and entry.comparisons and entry.wrong]
    if 2 * sum(map(_is_near, wrong)) < len(wrong):
        return False
    cases = {
        entry.question.case.name: dataclasses.replace(entry.question.case, dtype="float64")
        for entry in wrong
        if EPSILON.get(entry.question.case.dtype)
    }
    questions = [
        draw_case(drill, case, (number,)) for number, case in enumerate([*cases.values()][:ASKED])
    ]
    if not questions:
        return False
    # What raises then, for another reason than digits, says nothing.
    widely = [entry for entry in ask_again(questions, _widened) if entry.comparisons]
    return 2 * len(widely) >= len(questions) and all(entry.passed for entry in widely)


def _widened(source: bytes) -> bytes:
    """Return code that computes in float64 wherever it names a narrower type, and by default."""
    return NAMED.sub(b"float64", CALLED.sub(b".double()", source)) + DEFAULT


def _is_near(answered: JudgedCase) -> bool:
    """Return whether an answer is off by no more than what a coarser type does."""
    epsilon = EPSILON.get(answered.question.case.dtype, 0.0)
    return epsilon > 0 and all(
        part.max_error is not None
        and epsilon * part.max_error <= EPSILON[COARSEST] * part.leaf.tolerance
        for part in answered.comparisons
        if part.fault
    )
