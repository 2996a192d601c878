"""Asking a runner: a source in the library of its backend, programs for it, and what came back."""

from __future__ import annotations

from typing import Any

import numpy as np

from studyattn.grading.call_plan import ArrayInput, ArrayOutput, Call, CallPlan, Finished, Outcome
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Submission

LIMITS = ResourceLimits(seconds=5.0, memory=512 * MEBIBYTE)
GENERATOR = np.random.default_rng(3)


def run(
    runner: Runner, source: str, *programs: CallPlan, entries: tuple[str, ...] = ("f",)
) -> tuple[Outcome, ...]:
    text = f"import {runner.backend} as xp\n{source}".encode()
    return runner.run(Submission("/d/f.py", text, runner.backend, entries), programs)


def finished(outcome: Outcome) -> Finished:
    assert isinstance(outcome, Finished), outcome
    return outcome


def array(*shape: int, dtype: str = "float32", **given: Any) -> ArrayInput:
    return ArrayInput(GENERATOR.standard_normal(shape), dtype, **given)


def call(*args: Any, **given: Any) -> CallPlan:
    return CallPlan((Call("f", args, **given),))


def values(outcome: Outcome, name: str = "result") -> Any:
    register = finished(outcome).registers[name]
    assert isinstance(register, ArrayOutput), register
    return register.values
