"""One worker for many submissions of a pack's own, where a new one for each would take long.

A worker costs twenty times what most submissions do in it. Only code that leaves nothing behind
shares one: it changes no module and imports little. What does not come to its end there is carried
out again alone.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from studyattn.grading.call_plan import CallPlan, Finished, Outcome, Raised
from studyattn.grading.run.runner import CarryOut, Runner
from studyattn.grading.submission import Submission

_IMPORTED = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
_QUIET = {b"math", b"functools", b"itertools", b"collections", b"dataclasses"}
_LOUD = re.compile(
    rb"\b(?:\w*seed|global|sys|os|exec|eval|compile|open|jit|threading|random|set_\w+|_C)\b"
    rb"|\b(?:torch|np)(?:\.\w+)+ = |\btorch\.(?:library|func)\b|__(?!init__|call__|\W)|\\u"
)
"""Signs of code that may change more than its own module."""


class SharedWorkers:
    """Carries out submissions, those that leave nothing behind in one worker."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._open = contextlib.ExitStack()
        self._carry_out: CarryOut | None = None
        self._forbidden: tuple[str, ...] = ()
        self.device = runner.device

    @property
    def isolation(self) -> tuple[str, ...]:
        """The walls around each worker, by name."""
        return self._runner.isolation

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        """Return the outcome of each of `programs`, as `Runner.run` does."""
        if _leaves_nothing(submission):
            if self._carry_out is None or self._forbidden != submission.forbidden:
                self.close()
                self._forbidden = submission.forbidden
                self._carry_out = self._open.enter_context(self._runner.shared(self._forbidden))
            outcomes = self._carry_out(submission, programs)
            if all(isinstance(each, Finished | Raised) for each in outcomes):
                return outcomes
            self.close()
        return self._runner.run(submission, programs)

    def close(self) -> None:
        """End the shared worker."""
        self._carry_out = None
        self._open.close()


def _leaves_nothing(submission: Submission) -> bool:
    source = submission.source
    own = {b"numpy", submission.backend.encode()}
    return (
        not submission.beside
        and (_QUIET | own).issuperset(_IMPORTED.findall(source))
        and _LOUD.search(source) is None
    )
