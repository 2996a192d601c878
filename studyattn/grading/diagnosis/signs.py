"""Mistakes that leave values right, or nearly so, and show in what happened (`misconception.Sign`).

Each is named only where just what its title says was seen. Where that takes another run, the
submission is asked again in a fresh worker: for answers that depend on the calls before them, and
in float64, to tell too few digits from a wrong formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

import numpy as np

from studyattn.grading.call_plan import Raised
from studyattn.grading.compare import Fault, agree
from studyattn.grading.cost.limits import claim_holds
from studyattn.grading.drawn_case import AGAIN, BETWEEN, DrawnCase, with_numbers
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, fingerprint
from studyattn.grading.misconception import Misconception, Sign
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


class Ask(Protocol):
    """Asks a submission these questions, in a worker that was asked nothing before."""

    def __call__(
        self, questions: Sequence[DrawnCase], changed: Callable[[bytes], bytes] = bytes, /
    ) -> Sequence[JudgedCase]:
        """Ask it with its code `changed` so."""


def signs_of(drill: Drill, answers: Sequence[JudgedCase]) -> tuple[Misconception, ...]:
    """Misconceptions of the drill whose sign these answers show, in the order of their weight."""
    shown = [sign for sign, is_seen in _OF_ONE_ANSWER.items() if any(map(is_seen, answers))]
    known = map(drill.misconception_of, (*shown, *_of_gradients(answers)))
    limit = drill.limit if any(entry.over_limit for entry in answers) else None
    over = [limit.misconception] if limit is not None and claim_holds(limit, answers) else []
    return (*filter(None, known), *over)


def with_another_run(
    drill: Drill, answers: Sequence[JudgedCase], signs: tuple[Misconception, ...], ask_again: Ask
) -> tuple[Misconception, ...]:
    """Return `signs` with the one that only a further run shows, if the drill has such a one.

    Where the values are right and `signs` were seen, they explain what is wrong. What depends on
    the calls before it explains everything.
    """
    if signs and all(entry.passed for entry in answers if entry.about_values):
        return signs
    state = drill.misconception_of(Sign.STATE_KEPT)
    if state is not None and keeps_state(answers, ask_again):
        return (state,)
    coarse = drill.misconception_of(Sign.LOW_PRECISION)
    if coarse is not None and loses_precision(drill, answers, ask_again):
        return (*signs, coarse)
    return signs


def _two_answers(answered: JudgedCase) -> bool:
    """The same call, made twice on the same inputs, gave different numbers."""
    parts = {(entry.leaf.register, entry.leaf.part): entry for entry in answered.comparisons}
    twice = [(one, parts.get((name + AGAIN, part))) for (name, part), one in parts.items()]
    return not answered.changed and any(
        other is not None
        and not (one.values is None or other.values is None)
        and not agree(one.values, other.values, one.leaf.tolerance)
        for one, other in twice
    )


_OF_ONE_ANSWER: Mapping[Sign, Callable[[JudgedCase], object]] = {
    Sign.FORBIDDEN_CALL: lambda entry: (
        isinstance(entry.outcome, Raised) and entry.outcome.forbidden
    ),
    Sign.INPUT_CHANGED: lambda each: each.changed,
    Sign.RESULT_CHANGED: lambda each: each.overwritten,
    Sign.TWO_ANSWERS: _two_answers,
}
"""By sign, whether one answer is enough to see it."""

_OF_GRADIENTS = {
    Fault.NO_GRADIENT: Sign.NO_GRADIENT,
    Fault.NOT_FINITE: Sign.GRADIENT_NOT_FINITE,
    Fault.VALUES: Sign.WRONG_GRADIENT,
}


def _of_gradients(answers: Sequence[JudgedCase]) -> list[Sign]:
    """Return what is wrong with gradients, unless wrong values or an error explain it.

    A result that is cut off from all inputs is that, whatever its values are.
    """
    faults = {fault for entry in answers for fault in _gradient_faults(entry)}
    if faults != {Fault.NO_GRADIENT} and not all(
        entry.passed for entry in answers if entry.about_values
    ):
        return []
    return [sign for fault, sign in _OF_GRADIENTS.items() if fault in faults][:1]


def _gradient_faults(answered: JudgedCase) -> Iterator[Fault | None]:
    """Yield the fault of each gradient, if one is wrong; a result of another shape has none."""
    if not answered.question.case.gradients or not answered.wrong:
        return
    if all(part.fault not in {Fault.KIND, Fault.SHAPE} for part in answered.comparisons):
        yield from (part.fault for part in answered.comparisons if part.leaf.is_gradient)


def keeps_state(answers: Sequence[JudgedCase], ask_again: Ask) -> bool:
    """Return whether the first wrong answer is right when asked alone, and the same when not.

    A call that is repeated within one question needs no asking alone: it was right before.
    """
    place = next((place for place, entry in enumerate(answers) if entry.wrong), None)
    if place is None:
        return False
    first = answers[place]
    if not _wrong_when_repeated_alone(first):
        if place == 0:
            return False
        (alone,) = ask_again([first.question])
        # The same may pass alone, as a variant.
        if not alone.passed or fingerprint(first) == fingerprint(alone):
            return False
    *_, again = ask_again([entry.question for entry in answers[: place + 1]])
    return fingerprint(first) == fingerprint(again)


def _wrong_when_repeated_alone(entry: JudgedCase) -> bool:
    """Return whether the first call is right, and only what comes after it is wrong."""
    later = all(part.leaf.register.endswith((AGAIN, BETWEEN)) for part in entry.faulty)
    return bool(entry.faulty) and not entry.changed and later


def loses_precision(drill: Drill, answers: Sequence[JudgedCase], ask_again: Ask) -> bool:
    """Return whether most wrong answers are nearly right, and right with the same in float64.

    Where nothing came back, nothing can be said of digits; numbers may overflow in a coarse type.
    """
    wrong = [entry for entry in answers if entry.about_values and entry.faulty]
    if 2 * sum(map(_is_near, wrong)) < max(1, len(wrong)):
        return False
    questions = _in_float64(drill, wrong)
    # What raises then, for another reason than digits, says nothing.
    widely = [entry for entry in ask_again(questions, _widened) if entry.comparisons]
    return 2 * len(widely) >= len(questions) and all(entry.passed for entry in widely)


def _in_float64(drill: Drill, wrong: Sequence[JudgedCase]) -> list[DrawnCase]:
    """Return the questions of some of these that were asked in floats, the last of each case."""
    narrow = (entry.question for entry in wrong if EPSILON.get(entry.question.case.dtype))
    by_case = {question.case.name: question for question in narrow}
    some = islice(by_case.values(), ASKED)
    return [with_numbers(drill, question, np.asarray, "float64") for question in some]


def _widened(source: bytes) -> bytes:
    """Return code that computes in float64 wherever it names a narrower type, and by default."""
    return NAMED.sub(b"float64", CALLED.sub(b".double()", source)) + DEFAULT


def _is_near(answered: JudgedCase) -> bool:
    """Return whether an answer is off by no more than what a coarser type does."""
    epsilon = EPSILON.get(answered.question.case.dtype, 0.0)
    return epsilon > 0 and all(
        part.max_error is not None
        and epsilon * part.max_error <= EPSILON[COARSEST] * part.leaf.tolerance
        for part in answered.faulty
    )
