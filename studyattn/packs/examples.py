"""Runs an example in the sandbox and compares what it prints with what the pack says it prints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from studyattn.grading.run.script import How, ScriptRunner
from studyattn.packs.model import Example


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """The result of an example. `problem` is empty when it printed what the pack says."""

    output: str
    seconds: float
    problem: str = ""
    line: int | None = None
    """The line of the example's code that the problem is about, from 1, where there is one."""


def run_example(example: Example, runner: ScriptRunner) -> ExampleRun:
    """Run the code unchanged. Raises GradingError when the sandbox cannot be had."""
    run = run_program(example.source, runner)
    return run if run.problem else replace(run, problem=difference(example.output, run.output))


def run_program(source: str, runner: ScriptRunner) -> ExampleRun:
    """Run code that may print anything. Raises GradingError when the sandbox cannot be had."""
    result = runner.run(source)
    problem = "" if result.how is How.FINISHED else result.error
    return ExampleRun(result.stdout, result.seconds, problem, result.line if problem else None)


def difference(said: str, printed: str) -> str:
    """The first line in which the output is another one than the pack says; empty when none is.

    Spaces at the ends of lines and blank lines at the end do not count.
    """
    if not printed.strip():
        return "it prints nothing"
    pairs = zip_longest(_lines(said), _lines(printed), fillvalue="")
    for number, (expected, got) in enumerate(pairs, start=1):
        if expected != got:
            return f"line {number} of its output is {got!r}, but the pack says {expected!r}"
    return ""


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]
