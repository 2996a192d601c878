"""Runs an example in the sandbox and compares what it prints with what the pack says it prints."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from studyattn.grading.run.script import ScriptResult, ScriptRunner
from studyattn.packs.model import Example


def run_example(example: Example, runner: ScriptRunner) -> ScriptResult:
    """Run the code unchanged; its error is also that it printed something else than the pack says.

    Raises GradingError when the sandbox cannot be had.
    """
    run = runner.run(example.source)
    return run if run.error else replace(run, error=difference(example.output, run.stdout))


def difference(said: str, printed: str) -> str:
    """The first line in which the output is another one than the pack says; empty when none is.

    Spaces at the ends of lines and blank lines at the end do not count.
    """
    if not printed.strip():
        return "it prints nothing"
    lines = ([line.rstrip() for line in text.rstrip().split("\n")] for text in (said, printed))
    for number, (expected, got) in enumerate(zip_longest(*lines, fillvalue=""), start=1):
        if expected != got:
            return f"line {number} of its output is {got!r}, but the pack says {expected!r}"
    return ""
