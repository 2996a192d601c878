"""Many submissions in one worker, where it is not the walls between them that a test is about.

Most of the time of a short submission is that of making its worker. What one of them leaves behind
may spoil those after it, so whatever does not come out as its label says is graded once more, in a
worker of its own. `pack check --submissions` and `benchmarks.seeds` give each its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from studyattn.grading.call_plan import CallPlan, Ended, Outcome
from studyattn.grading.drill import Drill
from studyattn.grading.judge import Depth, Executor
from studyattn.grading.mutation_report import (
    NO_NAME,
    CheckRun,
    Tally,
    _accepted,
    _label,
    _name,
    _named,
    _rejected,
)
from studyattn.grading.run.conversation import Conversation
from studyattn.grading.run.runner import Runner, _Series, next_outcome
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report

MOST: Final = 16
"""Submissions of one worker, whose CPU time is limited as a whole."""

ENDLESS: Final = b"\n# verdict: timeout\n"
"""The label of a submission that only the limit of time ends; it is given `ENOUGH` seconds."""

ENOUGH: Final = 2.0


class SharedWorker:
    """Carry out programs as its runner does, for one submission after another in one worker."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._open = contextlib.ExitStack()
        self._worker: Conversation | None = None
        self._asked = 0

    @property
    def device(self) -> str:
        return self._runner.device

    @property
    def isolation(self) -> tuple[str, ...]:
        return self._runner.isolation

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        """Carry out `programs`; one that ends a worker that others used ends one of its own."""
        if submission.beside:  # what it imports would be there for the next ones
            self.close()
            return self._runner.run(submission, programs)
        worker = self._worker_for(submission.forbidden)
        series = _Series(worker, submission, programs)
        outcomes = tuple(series.carry_out(programs))
        if any(isinstance(each, Ended) for each in outcomes):
            self.close()
            return self._runner.run(submission, programs)
        if series._is_loaded and series._settled is not None:
            for _ in programs:  # what cannot be loaded answers each, which nobody has read
                next_outcome(worker)
        return outcomes

    def close(self) -> None:
        """End the worker, if there is one."""
        self._open.close()
        self._worker = None

    def _worker_for(self, forbidden: tuple[str, ...]) -> Conversation:
        if self._worker is None or self._worker.forbidden != forbidden or self._asked == MOST:
            self.close()
            self._worker = self._open.enter_context(self._runner.worker(forbidden))
            self._asked = 0
        self._asked += 1
        return self._worker


class SharedRun(CheckRun):
    """A trial of labelled submissions that share workers."""

    def __init__(
        self, drill: Drill, shared: Mapping[str, Executor], alone: Mapping[str, Runner], seed: int
    ) -> None:
        super().__init__(drill, shared, seed)
        self._alone = CheckRun(drill, alone, seed)
        self._runners = alone

    def grade_file(
        self,
        path: Path,
        backend: Backend | None = None,
        drill: Drill | None = None,
        *,
        depth: Depth = Depth.WHOLE,
    ) -> Report:
        if ENDLESS in path.read_bytes():
            with contextlib.ExitStack() as hurried:
                for each in self._runners.values():
                    hurried.callback(setattr, each, "limits", each.limits)
                    each.limits = replace(each.limits, seconds=ENOUGH)
                return self._alone.grade_file(path, backend, drill, depth=depth)
        report = super().grade_file(path, backend, drill, depth=depth)
        if _is_as_labelled(path, report):
            return report
        return self._alone.grade_file(path, backend, drill, depth=depth)


def check_chosen(chosen: Sequence[Path], trial: CheckRun) -> Tally:
    """As `check_corpus`, but of these submissions, and none is shown a small input.

    One whose label names no mistake is judged and not explained.
    """
    figure = Tally()
    for path in chosen:
        label = _label(path)
        if "right" in path.parts:
            figure += _accepted(_name(path), trial.grade_file(path))
        elif label == NO_NAME:
            figure += _rejected(_name(path), trial.grade_file(path, depth=Depth.VERDICT))
        else:
            report = trial.grade_file(path, depth=Depth.NAMES)
            figure += _rejected(_name(path), report)
            figure += _named(_name(path), _mistakes(label), report)
    return figure


def labelled(paths: Sequence[Path]) -> tuple[int, int]:
    """Return how many of these submissions make one mistake, and how many make several."""
    numbers = [len(_mistakes(label)) for label in map(_label, paths) if label != NO_NAME]
    return numbers.count(1), len(numbers) - numbers.count(1)


def _mistakes(label: str) -> set[str]:
    return {part.strip() for part in label.split(",")}


def _is_as_labelled(path: Path, report: Report) -> bool:
    is_wrong = "wrong" in path.parts or path.name.startswith("starter")
    if report.passed is is_wrong:
        return False
    label = _label(path)
    named = set(report.diagnosis[0].misconceptions) if report.diagnosis else set()
    return label == NO_NAME or named == _mistakes(label)


@contextlib.contextmanager
def shared_carriers() -> Iterator[tuple[Mapping[str, SharedWorker], Mapping[str, Runner]]]:
    """Workers that submissions share, by backend, and the runners that give each its own."""
    with contextlib.ExitStack() as opened:
        alone: dict[str, Runner] = {
            backend: opened.enter_context(Runner(backend)) for backend in Backend
        }
        shared = {backend: SharedWorker(runner) for backend, runner in alone.items()}
        for each in shared.values():
            opened.callback(each.close)
        yield shared, alone
