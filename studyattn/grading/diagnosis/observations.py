"""What can be seen of wrong answers where no mistake of the drill explains them.

Each sentence is a fact about what was asked, tested on every answer before it is told. They come in
the order of their worth: the form of the answers, then the conditions under which they are wrong.
What is wrong in the code is told by the change that makes it right (`repair`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Raised
from studyattn.grading.compare import Comparison, Fault, distance
from studyattn.grading.diagnosis.conditions import condition_of
from studyattn.grading.diagnosis.counterexample import named_arguments
from studyattn.grading.diagnosis.influence import influence
from studyattn.grading.diagnosis.kept_state import Ask
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Diagnosis, Observation

SHOWN = 2
"""Facts that a learner is shown at most."""

Kind = Literal["dtype", "zero", "shape", "kind", "not-finite", "effect", "condition", "gradient"]
"""What a fact is about, for programs."""


def _said(kind: Kind, text: str) -> Observation:
    return Observation(kind, text)


def observe(
    drill: Drill,
    answers: Sequence[JudgedCase],
    ask_again: Ask,
    diagnosis: Sequence[Diagnosis] = (),
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
        found = [_form(answered), _filled(answered)] if answered else []
        found += _conditions(drill, judged)
        facts = [each for each in found if each is not None]
        if not facts:
            effect = influence(drill, judged, ask_again)
            facts = [] if effect is None else [_said("effect", effect)]
    return tuple(facts[:SHOWN])


# ── the form of the answers ──────────────────────────────────────────────────────────────────────


def _form(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe right numbers in another dtype or shape, or that all have one wrong shape."""
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    faults = {part.fault for part in parts}
    messages = "; ".join(list(dict.fromkeys(part.message for part in parts))[:2])
    if faults <= {Fault.DTYPE, Fault.COARSER_DTYPE} and not any(part.off for part in parts):
        return _said("dtype", f"The values are correct but the dtype is not: {messages}.")
    if faults == {Fault.NOT_ZERO}:
        return _said(
            "zero", "The values are correct, but some that must be exactly 0 are only close to 0."
        )
    if faults == {Fault.KIND}:
        return _said("kind", f"It {messages}" if messages.endswith("?") else f"It {messages}.")
    if faults == {Fault.SHAPE}:
        if all(map(_same_numbers, parts)):
            return _said("shape", f"The numbers are correct but the shape is not: {messages}.")
        return _said("shape", f"{_every(wrong)} has the wrong shape: {messages}.")
    return None


def _filled(wrong: Sequence[JudgedCase]) -> Observation | None:
    """Observe that every wrong answer is nothing but zeros, or nothing but NaN."""
    parts = [part for entry in wrong for part in entry.comparisons if part.fault]
    values = [part.values for part in parts if isinstance(part.values, np.ndarray)]
    if len(values) < len(parts) or not all(each.size for each in values):
        return None
    if not any(each.any() for each in values):
        return _said("zero", f"{_every(wrong)} is all zeros.")
    if all(np.isnan(each).all() for each in values):
        return _said("not-finite", f"{_every(wrong)} is all NaN.")
    return None


def _same_numbers(part: Comparison) -> bool:
    """Return whether these are the right numbers in their order, under another shape."""
    return (
        isinstance(part.values, np.ndarray)
        and part.values.size == part.leaf.values.size > 0
        and distance(part.values.reshape(part.leaf.values.shape), part.leaf.values)
        <= part.leaf.tolerance
    )


def _every(wrong: Sequence[JudgedCase]) -> str:
    """All wrong answers, where a fact holds for all of them, or the only one."""
    return "Every wrong answer" if len(wrong) > 1 else "The one wrong answer"


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


# ── conditions ───────────────────────────────────────────────────────────────────────────────────


def _conditions(drill: Drill, judged: Sequence[JudgedCase]) -> Iterator[Observation]:
    """Describe what the failing cases have in common and the passing ones lack.

    Where some raise and others are wrong, the conditions of each are looked for.
    """
    wrong = {place for place, entry in enumerate(judged) if entry.wrong}
    raising = {place for place in wrong if isinstance(judged[place].outcome, Raised)}
    if raising in (set(), wrong):
        condition = condition_of(drill, judged, wrong)
        if condition is not None:
            yield _said("condition", f"It {'raises' if raising else 'is wrong'} {condition}.")
        return
    for what, places_of in (("raises", raising), ("answers wrongly", wrong - raising)):
        condition = condition_of(drill, judged, places_of)
        if condition is not None:
            yield _said("condition", f"It {what} {condition}.")


# ── gradients ────────────────────────────────────────────────────────────────────────────────────


def _of_gradients(drill: Drill, answers: Sequence[JudgedCase]) -> Observation | None:
    """Observe which inputs have a wrong gradient, and how, where the values are right."""
    faults: dict[str, set[Fault | None]] = {}
    for entry in answers:
        if not entry.question.case.gradients:
            continue
        differentiated = _inputs_with_gradient(drill, entry)
        for part in entry.comparisons:
            leaf = part.leaf
            if leaf.register.startswith("gradients") and leaf.part is not None:
                if leaf.part >= len(differentiated):
                    return None
                faults.setdefault(differentiated[leaf.part], set()).add(part.fault)
    off = [name for name, seen in faults.items() if seen != {None}]
    right = [name for name, seen in faults.items() if seen == {None}]
    if not off:
        return None
    seen = set().union(*(faults[name] for name in off)) - {None}
    if seen == {Fault.NO_GRADIENT}:
        how = f"no gradient reaches {_joined(off)}"
        rest = f"; one reaches {_joined(right)}" if right else ""
    else:
        whose = _joined(off) if right else "every input"
        wrong = "is NaN or infinite in places" if seen == {Fault.NOT_FINITE} else "is not"
        how = f"the gradient of {whose} {wrong}"
        rest = f"; that of {_joined(right)} is right" if right else ""
    return _said("gradient", f"All values are right; {how}{rest}.")


def _inputs_with_gradient(drill: Drill, entry: JudgedCase) -> list[str]:
    """The names of the inputs whose gradients are asked for, in the order of the answer."""
    if any(call.on is not None for call in entry.question.calls):
        return ["the new tokens"]
    return [
        name
        for name, argument in named_arguments(drill, entry.question, entry.question.calls[0])
        if isinstance(argument, ArrayInput) and argument.requires_grad
    ]
