"""Digits are called too few only where the same code is right in a wider type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from studyattn.grading.grader import Grader

NUMPY = "import numpy as np\n"
TORCH = "import math\nimport torch\n"
SOFTMAX = "e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
NOT_THREE = "assert x.ndim != 3\n    "
GELU = """
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    h = x @ w_1 + b_1
    h = 0.5 * h * (1 + torch.tanh({} * (h + 0.044715 * h**3)))
    return h @ w_2 + b_2
"""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as grader:
        yield grader


@pytest.mark.parametrize(
    ("drill", "code"),
    [
        ("softmax", f"{NUMPY}def softmax(x):\n    x = x.astype(np.float32)\n    {SOFTMAX}\n"),
        ("softmax", f"{NUMPY}def softmax(x):\n    x = np.float32(x)\n    {SOFTMAX}\n"),
        ("gelu-mlp", TORCH + GELU.format("torch.sqrt(torch.tensor(2 / math.pi))")),
        ("softmax", f"{NUMPY}def softmax(x):\n    x = np.float32(x)\n    {NOT_THREE}{SOFTMAX}\n"),
    ],
)
def test_code_that_is_right_in_a_wider_type_loses_digits(
    grader: Grader, drill: str, code: str
) -> None:
    report = grader.grade(drill, code, seed=3)
    assert report.diagnosis[0].misconceptions == ("precision-lost",)


@pytest.mark.parametrize(
    ("drill", "code"),
    [
        ("gelu-mlp", TORCH + GELU.format("0.797884")),
        ("softmax", f"{NUMPY}def softmax(x):\n    {SOFTMAX} * (1 + 1e-4)\n"),
        ("softmax", f"{NUMPY}def softmax(x):\n    {SOFTMAX} + 1e-5 * x.astype(np.float32)\n"),
    ],
)
def test_a_formula_that_is_off_by_little_does_not(grader: Grader, drill: str, code: str) -> None:
    report = grader.grade(drill, code, seed=3)
    assert not report.passed
    assert all("precision-lost" not in each.misconceptions for each in report.diagnosis)
