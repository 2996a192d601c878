"""Running the example on a card: a short script, behind the same walls as a submission.

It may import numpy, torch, `studyattn.attention`. It is not graded; what it prints is the result.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from studyattn.grading.call_plan import Ended, Invalid, Outcome, Raised
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner, next_outcome
from studyattn.grading.run.wire import Frame
from studyattn.grading.submission import Backend

LIMITS = ResourceLimits(seconds=10.0, memory=1024 * MEBIBYTE, output=1 * MEBIBYTE)
NAME = "example.py"
_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b", re.MULTILINE)


class How(StrEnum):
    """The end of a script."""

    FINISHED = "finished"
    ERROR = "error"
    INVALID = "invalid"  # no Python
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """The output of a script, from both of its streams, and its end.

    `error` is empty or one line; `line` is the script's line that it speaks of, where there is one.
    """

    stdout: str
    how: How
    error: str
    line: int | None
    seconds: float


class ScriptRunner:
    """Runs scripts, keeping a warm server for those with torch and one for those without."""

    def __init__(self, limits: ResourceLimits = LIMITS) -> None:
        self._limits = limits
        self._runners: dict[Backend, Runner] = {}
        self._stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def start(self, source: str) -> None:
        """Start the server that `source` needs and return at once."""
        self._runner(source).start()

    def run(self, source: str) -> ScriptResult:
        """Run `source` in a worker of its own. GradingError when no worker can be had."""
        with self._runner(source).worker() as attempt:
            if self._stopped:
                return ScriptResult("", How.CRASHED, "it was stopped", None, 0.0)
            started = time.monotonic()
            attempt.start_clock(self._limits.seconds, self._limits.seconds_when_busy)
            attempt.send(Frame({"kind": "script", "path": NAME, "source": source}))
            outcome = next_outcome(attempt)
            attempt.close()
        how, error, line = _end_of(outcome)
        return ScriptResult(attempt.output.text, how, error, line, time.monotonic() - started)

    def stop(self) -> None:
        """End the script under way, from another thread; one that was about to run does not."""
        self._stopped = True
        for runner in list(self._runners.values()):
            runner.stop()

    def close(self) -> None:
        """End the servers. Waits for the script under way."""
        for runner in self._runners.values():
            runner.close()
        self._runners.clear()

    def _runner(self, source: str) -> Runner:
        backend = Backend.TORCH if _TORCH.search(source) else Backend.NUMPY
        if backend not in self._runners:
            # The second is what the first use of the first would import, in each worker anew.
            imported = "studyattn.attention", f"array_api_compat.{backend}"
            self._runners[backend] = Runner(
                backend, limits=self._limits, package=True, imported=imported
            )
        return self._runners[backend]


def _end_of(outcome: Outcome | None) -> tuple[How, str, int | None]:
    match outcome:
        case Ended():
            return How(outcome.how), outcome.detail, None
        case Invalid():
            return How.INVALID, outcome.message, outcome.line
        case Raised():
            return How.ERROR, outcome.told, outcome.line
        case _:
            return How.FINISHED, "", None
