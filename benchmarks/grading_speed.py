"""Time what comes before grading: the server's start, and a worker from it.

All beside a cold `import torch`, which is what running a submission by hand costs at least.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from benchmarks._measure import Figure, medians
from studyattn.grading.call_plan import ArrayInput, Call, CallPlan, Finished
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission

SOURCE = {
    Backend.TORCH: b"""
import torch
def attention(q, k, v):
    return torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, -1) @ v
""",
    Backend.NUMPY: b"""
import numpy as np
def attention(q, k, v):
    weights = np.exp(q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5)
    return weights / weights.sum(-1, keepdims=True) @ v
""",
}
FORBIDDEN = ("scaled_dot_product_attention",)


def programs(count: int) -> list[CallPlan]:
    """`count` questions about plain attention, each with arrays of its own."""
    draw = np.random.default_rng(1).standard_normal
    shapes = ((2, 3, 4), (2, 5, 4), (2, 5, 6))
    return [
        CallPlan((Call("attention", tuple(ArrayInput(draw(s), "float32") for s in shapes)),))
        for _ in range(count)
    ]


def grade(runner: Runner, count: int = 1) -> None:
    """One attempt of `count` programs."""
    source = SOURCE[runner.backend]
    submission = Submission("attention.py", source, runner.backend, ("attention",), FORBIDDEN)
    outcomes = runner.run(submission, programs(count))
    assert all(isinstance(outcome, Finished) for outcome in outcomes)


def from_cold(backend: Backend) -> None:
    """A first answer from a server that is started for it."""
    with Runner(backend) as runner:
        grade(runner)


def cold_import(module: str) -> None:
    """A Python that starts, imports `module` and ends."""
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    cold_torch, first, first_numpy = medians(
        [
            lambda: cold_import("torch"),
            lambda: from_cold(Backend.TORCH),
            lambda: from_cold(Backend.NUMPY),
        ],
        5,
    )
    yield Figure("cold import torch", 1000 * cold_torch, "ms")
    yield Figure("first answer after a start ÷ cold import torch", first / cold_torch, "×", 1.3)
    yield Figure("first answer, numpy ÷ cold import torch", first_numpy / cold_torch, "×", 0.5)
    with Runner(Backend.TORCH) as torch, Runner(Backend.NUMPY) as numpy:
        grade(torch)
        grade(numpy)
        one, twenty, one_numpy = medians(
            [lambda: grade(torch), lambda: grade(torch, 20), lambda: grade(numpy)], 20
        )
    yield Figure("warm attempt, torch, 1 program", 1000 * one, "ms")
    yield Figure("warm attempt, torch, 20 programs", 1000 * twenty, "ms")
    yield Figure("warm attempt, numpy, 1 program", 1000 * one_numpy, "ms")
    yield Figure("warm attempt ÷ cold import torch", one / cold_torch, "×", 0.05)
