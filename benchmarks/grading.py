"""Time two drills from save to verdict, beside a cold pytest of the same questions.

The reference is measured beside torch. `verdicts` measures every drill beside a fork.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import torch
from torch.nn import functional

from benchmarks._measure import Figure, medians, seconds
from studyattn import attention as reference
from studyattn.bundled import content_dir
from studyattn.grading import Backend, Grader, Report
from tests.corpus import submissions

DRILLS = ("attention", "kv-cache")
PASSED_MS, FAILED_MS = 150.0, 400.0
TIMES = 15
MISTAKES = {
    "attention": ("/ math.sqrt(q.shape[-1])", "/ q.shape[-1]"),
    "kv-cache": ("math.sqrt(", "abs("),
}
UNEXPLAINED = {"attention": "zeros", "kv-cache": "window_of_four"}
"""Wrong in a way that no mistake gives, so that all of them are tried, and pairs of them."""

COLD = """
import dataclasses
from pathlib import Path
import pytest
import numpy as np
import torch
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.drawn_case import draw_cases
from studyattn.grading.oracle import carry_out
from studyattn.grading.call_plan import ArrayInput, Call, CallPlan
DRILL = load_drill(Path({folder!r}))
NAMES = {{}}
exec(Path({source!r}).read_text(), NAMES)

def tensors(program):
    def one(argument):
        if isinstance(argument, ArrayInput):
            values = torch.tensor(argument.values, dtype=getattr(torch, argument.dtype))
            return dataclasses.replace(argument, values=values)
        return argument
    steps = tuple(
        dataclasses.replace(step, args=tuple(one(argument) for argument in step.args))
        for step in program.steps if isinstance(step, Call)
    )
    names = tuple(name for name in program.returns if not name.startswith("gradients"))
    return CallPlan(steps, names)

@pytest.mark.parametrize("question", draw_cases(DRILL, "torch", "cpu", 1))
def test_question(question):
    got = carry_out(tensors(question.program), NAMES)
    for leaf in question.expected:
        if not leaf.register.startswith("gradients"):
            error = np.abs(got[leaf.register].double().numpy() - leaf.values).max()
            assert error <= leaf.tolerance
"""


def cold(folder: Path, source: Path, scratch: Path) -> None:
    """A Python that starts, imports torch and pytest, and asks the same questions."""
    test = scratch / "test_cold.py"
    test.write_text(COLD.format(folder=str(folder), source=str(source)))
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-c", "/dev/null", str(test)],
        check=False,
        capture_output=True,
    )


def verdicts(name: str, scratch: Path) -> Iterator[Figure]:
    """Passed and failed, warm, for one drill."""
    folder = content_dir() / "attention" / "drills" / name
    right = (folder / "solution.py").read_text()
    wrong = right.replace(*MISTAKES[name])
    assert wrong != right
    unexplained = (submissions(name) / "wrong" / f"{UNEXPLAINED[name]}.py").read_text()
    with Grader(ahead=True) as grader:

        def graded(source: str, *, passes: bool, explained: bool = True) -> float:
            """As `drill watch` does: the next questions are drawn while the verdict is read."""
            grader.prepare(name, Backend.TORCH)
            taken = seconds(
                lambda: reports.append(grader.grade(name, source, backend=Backend.TORCH))
            )
            report = reports.pop()
            assert report.passed == passes
            assert passes or (bool(report.diagnosis) is explained and report.counterexample)
            return taken

        reports: list[Report] = []
        graded(right, passes=True)
        passed = median(graded(right, passes=True) for _ in range(TIMES))
        failed = median(graded(wrong, passes=False) for _ in range(TIMES))
        puzzling = median(graded(unexplained, passes=False, explained=False) for _ in range(TIMES))
    test = seconds(lambda: cold(folder, folder / "solution.py", scratch))
    yield Figure(f"{name}: save to verdict, passed", passed * 1000, "ms", PASSED_MS)
    yield Figure(f"{name}: save to verdict, failed and diagnosed", failed * 1000, "ms", FAILED_MS)
    yield Figure(f"{name}: the same, of no mistake that is known", puzzling * 1000, "ms")
    yield Figure(
        f"{name}: passed, of a cold pytest of the same questions", passed / test, "×", 0.05
    )


def _plain(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v


ATTENTIONS: tuple[Callable[..., torch.Tensor], ...] = (
    reference.attention,
    functional.scaled_dot_product_attention,
    _plain,
)


def _waited(function: Callable[..., torch.Tensor], *arrays: torch.Tensor) -> None:
    """The call, and on a GPU its end."""
    function(*arrays)
    if arrays[0].is_cuda:
        torch.cuda.synchronize()


def beside_torch() -> Iterator[Figure]:
    """The reference on 1 × 8 × 2048 × 64 float32, on the CPU and on a GPU where there is one."""
    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    for device in devices:
        q, k, v = (torch.randn(1, 8, 2048, 64, device=device) for _ in range(3))

        works = [functools.partial(_waited, f, q, k, v) for f in ATTENTIONS]
        for work in works:
            work()
        ours, fused, usual = medians(works, 5)
        yield Figure(f"the reference on {device}, of torch's fused function", ours / fused)
        yield Figure(f"the reference on {device}, of plain torch", ours / usual)


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        for name in DRILLS:
            yield from verdicts(name, Path(scratch))
    yield from beside_torch()
