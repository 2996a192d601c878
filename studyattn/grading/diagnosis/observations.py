"""The facts about wrong answers that no mistake of the drill explains.

Each sentence is a fact about what was asked, tested on every answer before it is told. They come in
the order of their worth: the form of the answers, then the conditions under which they are wrong.
What is wrong in the code is told by the change that makes it right (`repair`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Raised
from studyattn.grading.compare import NOTHING, OF_DTYPE, Comparison, Fault, distance
from studyattn.grading.diagnosis.conditions import condition_of
from studyattn.grading.diagnosis.influence import influence
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.submission import tree_of
from studyattn.grading.verdict import Diagnosis, Observation, sentence

SHOWN = 2
"""Facts that a learner is shown at most."""

Kind = Literal[
    "dtype", "zero", "shape", "kind", "not-finite", "effect", "condition", "gradient", "loop"
]
"""What a fact is about, for programs."""


def observe(
    drill: Drill,
    answers: Sequence[JudgedCase],
    ask_again: Ask,
    diagnosis: Sequence[Diagnosis] = (),
    source: bytes = b"",
) -> tuple[Observation, ...]:
    """Return what is seen of wrong answers that `diagnosis` does not explain, best first.

    Wrong gradients of right values are told of in any case: a diagnosis does not say which.
    """
    judged = [entry for entry in answers if entry.about_values]
    wrong = [entry for entry in judged if entry.wrong]
    if not wrong:
        return tuple(_of_gradients(drill, answers))
    if diagnosis:
        return ()
    with np.errstate(all="ignore"):
        facts = [*_left_early(source), *_form(wrong), *_conditions(drill, judged, ask_again)]
        return tuple(facts[:SHOWN] or influence(drill, judged, ask_again))


def _left_early(source: bytes) -> Iterator[Observation]:
    """Observe the first loop whose last statement leaves it: it never has a second round."""
    for loop in ast.walk(tree_of(source)):
        last = loop.body[-1] if isinstance(loop, ast.For) else None
        if isinstance(last, ast.Return | ast.Break) and not any(
            isinstance(each, ast.Continue) for each in ast.walk(loop)
        ):
            told = f"Line {last.lineno}: `{ast.unparse(last)}` leaves its loop in the first round."
            yield Observation("loop", told)
            return


# ── the form of the answers ──────────────────────────────────────────────────────────────────────


_PRINTED = "It printed, but returned None: `print` shows a value, and `return` hands it back."


def _form(wrong: Sequence[JudgedCase]) -> Iterator[Observation]:
    """Observe what is the same of all wrong answers: dtype, kind or shape, or their numbers."""
    parts = [part for entry in wrong for part in entry.faulty]
    if parts:
        printed = any(entry.outcome.printed for entry in wrong if entry.faulty)
        yield from _with_right_values(parts)
        yield from _of_other_form(parts, printed)
        yield from _filled(parts)


def _with_right_values(parts: Sequence[Comparison]) -> Iterator[Observation]:
    """Observe that only the dtype is wrong, that zeros are not exactly 0, or only the shape."""
    faults = {part.fault for part in parts}
    if faults <= OF_DTYPE and not any(part.off for part in parts):
        told = f"The values are correct but the dtype is not: {_first_two(parts)}."
        yield Observation("dtype", told)
    elif faults == {Fault.NOT_ZERO}:
        told = "The values are correct, but some that must be exactly 0 are only close to 0."
        yield Observation("zero", told)
    elif faults == {Fault.SHAPE} and all(map(_same_numbers, parts)):
        told = f"The numbers are correct but the shape is not: {_first_two(parts)}."
        yield Observation("shape", told)


def _of_other_form(parts: Sequence[Comparison], printed: bool) -> Iterator[Observation]:
    """Observe what was returned in the place of an array, or in which other shape."""
    faults = {part.fault for part in parts}
    if faults == {Fault.KIND}:
        is_nothing = {part.message for part in parts} == {NOTHING}
        told = _PRINTED if printed and is_nothing else sentence(parts[0].message)
        yield Observation("kind", told)
    elif faults == {Fault.SHAPE} and not all(map(_same_numbers, parts)):
        yield Observation("shape", f"Every wrong answer has the wrong shape: {_first_two(parts)}.")


def _first_two(parts: Sequence[Comparison]) -> str:
    """Join two of the messages; one that is about a single number says enough alone."""
    told = list(dict.fromkeys(part.message for part in parts))
    return "; ".join(told[: 1 if told[0].startswith("one number") else 2])


def _filled(parts: Sequence[Comparison]) -> Iterator[Observation]:
    """Observe that every wrong answer is nothing but zeros, or nothing but NaN."""
    if all(isinstance(part.values, np.ndarray) and part.values.size for part in parts):
        numbers = np.concatenate([part.values.ravel() for part in parts])
        if not numbers.any():
            yield Observation("zero", "Every wrong answer is all zeros.")
        elif np.isnan(numbers).all():
            yield Observation("not-finite", "Every wrong answer is all NaN.")


def _same_numbers(part: Comparison) -> bool:
    """Return whether these are the right numbers in their order, under another shape."""
    return (
        isinstance(part.values, np.ndarray)
        and part.values.size == part.leaf.values.size > 0
        and distance(part.values.reshape(part.leaf.values.shape), part.leaf.values)
        <= part.leaf.tolerance
    )


# ── conditions ───────────────────────────────────────────────────────────────────────────────────


def _conditions(drill: Drill, judged: Sequence[JudgedCase], ask: Ask) -> Iterator[Observation]:
    """Describe what the failing cases have in common and the passing ones lack.

    Where some raise and others are wrong, the conditions of each are looked for.
    """

    def raises(entry: JudgedCase) -> bool:
        return isinstance(entry.outcome, Raised)

    otherwise = "answers wrongly" if any(map(raises, judged)) else "is wrong"
    for what, is_meant in (
        ("raises", raises),
        (otherwise, lambda entry: entry.wrong and not raises(entry)),
    ):
        condition = condition_of(drill, judged, is_meant, ask)
        if condition is not None:
            yield Observation("condition", f"It {what} {condition}.")


# ── gradients ────────────────────────────────────────────────────────────────────────────────────


def _of_gradients(drill: Drill, answers: Sequence[JudgedCase]) -> Iterator[Observation]:
    """Observe which inputs have a wrong gradient or none, where the values are right."""
    wrong: dict[str, None] = {}
    for entry in answers:
        names = dict(enumerate(_inputs_with_gradient(drill, entry)))
        for part in entry.faulty if entry.question.case.gradients else ():
            if part.leaf.is_gradient:
                wrong[names.get(part.leaf.part or 0, "an input")] = None
    if wrong:
        told = f"All values are right; the gradient of {' and '.join(wrong)} is not."
        yield Observation("gradient", told)


def _inputs_with_gradient(drill: Drill, entry: JudgedCase) -> list[str]:
    """The names of the inputs whose gradients are asked for, in the order of the answer."""
    if any(call.on is not None for call in entry.question.calls):
        return ["the new tokens"]
    return [
        name
        for name, argument in drill.named_arguments(entry.question.calls[0])
        if isinstance(argument, ArrayInput) and argument.requires_grad
    ]
