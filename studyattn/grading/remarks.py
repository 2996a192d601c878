"""Remarks on what passes: a variant of the reference, a dtype wider than asked for.

A remark says where the difference comes from and what to write instead. It changes no verdict.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from studyattn.grading.compare import NUMBERS, Comparison, Fault, distance
from studyattn.grading.drill import Drill, Variant
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import Change
from studyattn.grading.oracle import carry_out, leaves
from studyattn.grading.submission import Submission

WIDER = {
    "numpy": "NumPy keeps the wider of two dtypes: its functions of plain numbers, such as"
    " np.sqrt(d) and np.power(b, t), give float64 scalars, and np.zeros(shape) a float64 array."
    " math.sqrt(d), d ** 0.5 and np.zeros(shape, x.dtype) keep the dtype of the inputs.",
    "torch": "PyTorch keeps the wider dtype of two tensors, and .double() and torch.from_numpy of"
    " a float64 array give float64. .to(x.dtype) goes back to the dtype of the inputs.",
}
"""By backend, where a wider dtype usually comes from."""


RELATIVE = 1e-3
"""The largest error beside a variant, relative to its largest value."""


def accept_variant(drill: Drill, answers: tuple[JudgedCase, ...]) -> tuple[JudgedCase, ...]:
    """Compare wrong values with the first variant of the reference that explains all of them.

    Returns `answers` as they are when nothing is wrong with a value, or no variant explains it.
    """
    if any(_is_off(entry) for answered in answers for entry in answered.comparisons):
        for variant in drill.variants:
            explained = _explained(drill, variant, answers)
            if explained is not None:
                return explained
    return answers


def _explained(
    drill: Drill, variant: Variant, answers: Sequence[JudgedCase]
) -> tuple[JudgedCase, ...] | None:
    """`answers`, compared with those of `variant` where they are off; None if any is still off."""
    explained = []
    for answered in answers:
        if not any(_is_off(entry) for entry in answered.comparisons):
            explained.append(answered)
            continue
        for way in variant.ways:
            comparisons = _compared(drill, way, answered)
            if not any(_is_off(entry) for entry in comparisons):
                break
        else:
            return None
        explained.append(dataclasses.replace(answered, comparisons=comparisons, variant=variant))
    return tuple(explained)


def _compared(drill: Drill, way: Change, answered: JudgedCase) -> tuple[Comparison, ...]:
    """The comparisons of `answered`, with what the variant gives where a value is off."""
    question = answered.question
    if id(way) not in question.of_variants:
        question.of_variants[id(way)] = carry_out(question.program, drill.functions(way))
    expected = leaves(question.of_variants[id(way)])
    return tuple(
        _beside(entry, value) if _is_off(entry) else entry
        for entry, (*_, value) in zip(answered.comparisons, expected, strict=True)
    )


def _beside(entry: Comparison, value: Any) -> Comparison:
    """`entry` beside another right `value`, to the same tolerance or that of a small `value`.

    The tolerance is of the right answer, next to which all answers of a variant may be nothing.
    """
    error = distance(entry.values, value)
    largest = float(np.max(np.abs(value), initial=0.0))
    if error > min(entry.leaf.tolerance, RELATIVE * largest):
        return entry
    leaf = dataclasses.replace(entry.leaf, values=value)
    return dataclasses.replace(entry, leaf=leaf, fault=None, message="", max_error=error)


def _is_off(entry: Comparison) -> bool:
    return entry.fault is Fault.VALUES


def collect(answers: Sequence[JudgedCase], submission: Submission) -> tuple[str, ...]:
    """Every remark on `answers` once. Of wider dtypes the first is told: the others are like it."""
    parts = [(part, each.question.case.dtype) for each in answers for part in each.comparisons]
    scalars = {part.scalar: type(part.leaf.values) for part, _ in parts if part.scalar}
    variants = {answered.variant.remark: None for answered in answers if answered.variant}
    return (
        *_on_wider(parts, submission),
        *(
            f"The result is a {scalar} where the task asks for {NUMBERS[kind]}; that passes."
            f" {kind.__name__}(…) or .item() makes it a plain number."
            for scalar, kind in scalars.items()
        ),
        *variants,
        *(
            f"It uses `{name}`, which comes from the reference because yours has not passed yet."
            for name in submission.borrowed()
        ),
    )


def _on_wider(parts: Sequence[tuple[Comparison, str]], submission: Submission) -> Iterator[str]:
    """Remark on the first wider dtype.

    Where another is too narrow it is a fixed one, which the verdict tells.
    """
    wider = [(part.wider, asked) for part, asked in parts if part.wider]
    if not any(part.fault is Fault.COARSER_DTYPE for part, _ in parts):
        for returned, asked in wider[:1]:
            told = f"The result is {returned} where the inputs are {asked}; that passes."
            yield f"{told} {WIDER[submission.backend]}"
