"""Unusual means are listed with their lines; an example of a mistake names nobody."""

from __future__ import annotations

from studyattn.classroom.notable import Coded, nameless, unusual
from studyattn.grading import Backend, Submission

LONG = '''
import numpy as np

def attention(q, k, v):
    """By Anna."""
    total = np.zeros(q.shape[:-1] + (v.shape[-1],))
    for row in range(q.shape[-2]):
        scores = (k * q[..., row : row + 1, :]).sum(-1) / np.sqrt(q.shape[-1])
        scores = scores - scores.max(-1, keepdims=True)  # anna
        weights = np.exp(scores)
        weights = weights / weights.sum(-1, keepdims=True)
        total[..., row, :] = (weights[..., None] * v).sum(-2)
    return total
'''
OTHER = """
import torch

def attention(q, k, v):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(s, -1) @ v
"""


def coded(student: str, source: str) -> Coded:
    submission = Submission("a.py", source.encode(), Backend.NUMPY, ("attention",))
    return Coded(student, "attention", submission)


def test_unusual_means_are_listed_with_their_lines() -> None:
    source = "import ctypes, math\nimport torch\ntorch.matmul = None\nx = eval('1')\n"
    (found,) = unusual([coded("anna", source), coded("ben", OTHER), coded("carl", "def (")])
    assert found.student == "anna"
    assert found.signs == (
        "line 1: imports ctypes", "line 3: changes torch.matmul", "line 4: calls eval",
    )  # fmt: skip


def test_an_example_names_nobody() -> None:
    text = nameless(LONG.encode())
    assert "anna" not in text.lower()
    assert "weights / weights.sum" in text
    assert nameless(b"def (") == ""
