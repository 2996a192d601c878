"""The steps of a program, read from its text: the same whatever words it is written in."""

from __future__ import annotations

import pytest

from studyattn.study.practice.debrief import StepDifference, differing_steps, steps_of

TORCH = """
import torch

def attention(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v
"""


@pytest.mark.parametrize(
    "other",
    [
        TORCH.replace("q @ k.mT", "torch.matmul(q, k.transpose(-2, -1))"),
        TORCH.replace("torch.softmax(scores, -1)", "scores.softmax(dim=-1)"),
        TORCH.replace("scores", "s").replace("import torch", "import torch as t"),
    ],
)
def test_other_words_are_the_same_steps(other: str) -> None:
    assert differing_steps(TORCH, other) == ()


def test_what_only_one_of_them_does_is_named() -> None:
    by_hand = TORCH.replace(
        "torch.softmax(scores, -1)", "(scores.exp() / scores.exp().sum(-1, keepdim=True))"
    )
    assert differing_steps(by_hand, TORCH) == (
        StepDifference("exp", 2, 0),
        StepDifference("division", 2, 1),
        StepDifference("softmax", 0, 1),
        StepDifference("sum", 1, 0),
    )
    assert steps_of("for i in range(3):\n    x = x @ y")["Python loop"] == 1


def test_own_helpers_and_broken_text_are_no_steps() -> None:
    assert steps_of("def f(x):\n    return x\n\ndef g(x):\n    return f(x)") == {}
    assert steps_of("def f(:") == {}
