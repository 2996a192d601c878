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
from studyattn.grading.compare import NOTHING, Comparison, Fault, distance
from studyattn.grading.diagnosis.conditions import condition_of
from studyattn.grading.diagnosis.counterexample import named_arguments
from studyattn.grading.diagnosis.influence import influence
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.submission import tree_of
from studyattn.grading.verdict import Diagnosis, Observation

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
        gradients = _of_gradients(drill, answers)
        return () if gradients is None else (gradients,)
    if diagnosis:
        return ()
    answered = [entry for entry in wrong if entry.comparisons]
    with np.errstate(all="ignore"):
        found = [_left_early(source)]
        found += [_form(answered), _filled(answered)] if answered else []
        found += _conditions(drill, judged, ask_again)
        facts = [each for each in found if each is not None]
        if not facts:
            effect = influence(drill, judged, ask_again)
            facts = [] if effect is None else [Observation("effect", effect)]
    return tuple(facts[:SHOWN])


def _left_early(source: bytes) -> Observation | None:
    """Observe a loop whose last statement leaves it, so that it never has a second round."""
    for loop in ast.walk(tree_of(source)):
        last = loop.body[-1] if isinstance(loop, ast.For) else None
        if isinstance(last, ast.Return | ast.Break) and not any(
            isinstance(each, ast.Continue) for each in ast.walk(loop)
        ):
            told = f"Line {last.lineno}: `{ast.unparse(last)}` leaves its loop in the first round."
            return Observation("loop", told)
    return None


# ── the form of the answers ──────────────────────────────────────────────────────────────────────


_PRINTED = "It printed, but returned None: `print` shows a value, and `return` hands it back."


def _form(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe right numbers in another dtype or shape, or that all have one wrong shape."""
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    faults = {part.fault for part in parts}
    told = list(dict.fromkeys(part.message for part in parts))
    messages = "; ".join(told[: 1 if told[:1] and told[0].startswith("one number") else 2])
    if faults <= {Fault.DTYPE, Fault.COARSER_DTYPE} and not any(part.off for part in parts):
        return Observation("dtype", f"The values are correct but the dtype is not: {messages}.")
    if faults == {Fault.NOT_ZERO}:
        return Observation(
            "zero", "The values are correct, but some that must be exactly 0 are only close to 0."
        )
    if faults == {Fault.KIND}:
        if told == [NOTHING] and any(entry.outcome.printed for entry in wrong):
            return Observation("kind", _PRINTED)
        return Observation("kind", f"It {told[0]}" if told[0].endswith("?") else f"It {told[0]}.")
    if faults == {Fault.SHAPE}:
        what = "Every wrong answer has the wrong shape"
        if all(map(_same_numbers, parts)):
            what = "The numbers are correct but the shape is not"
        return Observation("shape", f"{what}: {messages}.")
    return None


def _filled(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that every wrong answer is nothing but zeros, or nothing but NaN."""
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    values = [part.values for part in parts if isinstance(part.values, np.ndarray)]
    if len(values) < len(parts) or not all(each.size for each in values):
        return None
    if not any(each.any() for each in values):
        return Observation("zero", "Every wrong answer is all zeros.")
    if all(np.isnan(each).all() for each in values):
        return Observation("not-finite", "Every wrong answer is all NaN.")
    return None


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


def _of_gradients(drill: Drill, answers: Sequence[JudgedCase]) -> Observation | None:
    """Observe which inputs have a wrong gradient or none, where the values are right."""
    wrong: dict[str, None] = {}
    for entry in answers:
        names = dict(enumerate(_inputs_with_gradient(drill, entry)))
        for part in entry.comparisons if entry.question.case.gradients else ():
            if part.fault and part.leaf.register.startswith("gradients"):
                wrong[names.get(part.leaf.part or 0, "an input")] = None
    if not wrong:
        return None
    return Observation(
        "gradient", f"All values are right; the gradient of {' and '.join(wrong)} is not."
    )


def _inputs_with_gradient(drill: Drill, entry: JudgedCase) -> list[str]:
    """The names of the inputs whose gradients are asked for, in the order of the answer."""
    if any(call.on is not None for call in entry.question.calls):
        return ["the new tokens"]
    return [
        name
        for name, argument in named_arguments(drill, entry.question, entry.question.calls[0])
        if isinstance(argument, ArrayInput) and argument.requires_grad
    ]
