"""Stopping attempts from another thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

from studyattn.errors import GradingError
from studyattn.grading.call_plan import CallPlan, Outcome
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Submission

_Answer = TypeVar("_Answer")


class StoppedError(GradingError):
    """The attempt was stopped, so there is no report on it."""


class Stoppable:
    """A runner that carries nothing out once `stop` is set."""

    def __init__(self, runner: Runner, stop: threading.Event) -> None:
        self._runner = runner
        self._stop = stop
        self._answers: Generator[object] | None = None
        self.device = runner.device

    @property
    def isolation(self) -> tuple[str, ...]:
        return self._runner.isolation

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> Iterator[Outcome]:
        return self._each(self._runner.answers(submission, programs))

    def variants(
        self,
        submission: Submission,
        sources: Sequence[bytes],
        programs: Sequence[CallPlan],
        seconds: float,
    ) -> Iterator[tuple[Outcome, ...]]:
        return self._each(self._runner.variants(submission, sources, programs, seconds))

    def _each(self, answered: Generator[_Answer]) -> Iterator[_Answer]:
        self._check()
        self._answers = answered
        with contextlib.closing(answered):
            for outcome in answered:
                self._check()
                yield outcome

    def close(self) -> None:
        """End an attempt of which not every answer was taken."""
        if self._answers is not None:
            self._answers.close()

    @contextlib.contextmanager
    def loaded(
        self, submission: Submission, like: Sequence[CallPlan]
    ) -> Iterator[Callable[[CallPlan], Outcome]]:
        self._check()
        with self._runner.loaded(submission, like) as carry_out:

            def checked(program: CallPlan) -> Outcome:
                self._check()
                return carry_out(program)

            yield checked

    def _check(self) -> None:
        if self._stop.is_set():
            raise StoppedError("the attempt was stopped")
