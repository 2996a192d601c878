"""Grade submissions: the drills of packs found by name, and warm workers that are kept for them.

    with Grader() as grader:
        report = grader.grade("attention", code)
        print(report.verdict, [each.title for each in report.diagnosis])

A `Grader` finds the drill, reads the submission's backend, and owns the fork servers that run it.
What is asked and what an answer is worth is `judge`'s; where foreign code runs is `run.runner`'s;
how many submissions are spread over the processes of an executor is `batch`'s.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import hashlib
import os
import threading
import uuid
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Self, TypedDict
from weakref import WeakValueDictionary

from studyattn.errors import (
    DrillError,
    InputError,
    NotFoundError,
    StudyattnError,
)
from studyattn.grading import batch, deep, judge
from studyattn.grading.backend_choice import choose
from studyattn.grading.cost import lab
from studyattn.grading.cost.measurements import CostSeries
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.sandbox.filesystem import PACKAGE
from studyattn.grading.stopping import Stoppable, StoppedError
from studyattn.grading.submission import Backend, Submission, files_beside
from studyattn.grading.verdict import Report

__all__ = ["Code", "DrillName", "Grader", "StoppedError", "digest", "shipped_packs"]

DrillName = str | Path | Drill
"""A drill by its id, by its folder, or itself."""

Code = str | bytes | Path | Submission
"""Source, the file that has it, or a submission whose backend is known."""


def shipped_packs() -> tuple[Path, ...]:
    """Return the folders of the packs that ship with studyattn."""
    for content in (PACKAGE / "_bundled" / "content", PACKAGE.parent / "content"):
        if content.is_dir():
            return tuple(sorted(file.parent for file in content.glob("*/pack.toml")))
    return ()


class _Settings(TypedDict):
    """The options of a grader, which make the same one in another process."""

    packs: tuple[Path, ...] | None  # None: those that ship with studyattn, wherever that is
    device: str
    limits: ResourceLimits
    ahead: bool
    kept: Path | None
    deep: bool


class Grader:
    """Grades submissions, keeping its workers warm. A context manager, for any thread.

    Calls from several threads run side by side, each with a fork server of its own: the first one
    for a backend takes as long as importing its array library, those after it milliseconds.
    """

    def __init__(
        self,
        packs: Iterable[Path] | None = None,
        *,
        device: str = "cpu",
        limits: ResourceLimits | None = None,
        ahead: bool = False,
        kept: Path | None = None,
        deep: bool = False,
    ) -> None:
        """Nothing is started yet.

        Args:
            packs: folders of packs, in which drills are found by id; those that ship with
                studyattn when none are given.
            device: "cpu" or "cuda".
            limits: of one attempt.
            ahead: start each next worker when an attempt ends, so that it need not be waited for.
            deep: look for a wrong answer after each pass of many submissions.
            kept: a folder for the questions that deep passes find, which every attempt is asked.
        """
        folders = None if packs is None else tuple(packs)
        self._settings = _Settings(
            packs=folders,
            device=device,
            limits=limits or ResourceLimits(),
            ahead=ahead,
            kept=kept,
            deep=deep,
        )
        self._key = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._idle: dict[Backend, list[Runner]] = defaultdict(list)
        self._busy: set[Runner] = set()
        self._drawn: dict[tuple[int, str, int | None], tuple[Drill, judge.Drawn]] = {}
        self._closed = False
        _graders[os.getpid(), self._key] = self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ── drills and submissions ───────────────────────────────────────────────────────────────────

    def drill(self, name: DrillName) -> Drill:
        """Return the drill with this id or in this folder.

        NotFoundError when no pack has it, DrillError when its checks cannot be loaded.
        """
        if isinstance(name, Drill):
            return name
        if isinstance(name, Path):
            return load_drill(name)
        packs = shipped_packs() if self._settings["packs"] is None else self._settings["packs"]
        for pack in packs if name == Path(name).name else ():
            if (pack / "drills" / name / "checks.py").is_file():
                return load_drill(pack / "drills" / name)
        known = [folder.name for pack in packs for folder in drill_folders(pack)]
        near = difflib.get_close_matches(name, known, n=1)
        raise NotFoundError(
            f"there is no drill {name!r}", advice=f"Did you mean {near[0]!r}?" if near else ""
        )

    def submission(
        self, drill: DrillName, code: Code, backend: Backend | str | None = None
    ) -> Submission:
        """Return `code` as a submission in `backend`, or the one that is read from it (`choose`).

        The code in a file may import files beside it; text has none. InputError when the drill
        cannot be done in the backend, NotFoundError when there is no such file.
        """
        asked = self.drill(drill)
        beside, why = None, ""
        if isinstance(code, Submission):
            path, source, beside = code.path, code.source, code.beside
            backend, why = backend or code.backend, "" if backend else code.why
        elif isinstance(code, Path):
            try:
                path, source = str(code), code.read_bytes()
            except OSError as error:
                message = f"it cannot be read ({error.strerror})"
                raise NotFoundError(message, where=str(code)) from error
            beside = files_beside(code, source)
        else:
            path, source = f"{asked.id}.py", code.encode() if isinstance(code, str) else code
        choice = choose(
            asked.id, source, asked.entries, asked.backends, given=backend, beside=beside or ()
        )
        why = why or choice.why
        return Submission(path, source, choice.backend, asked.entries, asked.forbidden, beside, why)

    # ── grading ──────────────────────────────────────────────────────────────────────────────────

    def grade(
        self,
        drill: DrillName,
        code: Code,
        *,
        backend: Backend | str | None = None,
        seed: int | None = None,
        stop: threading.Event | None = None,
        told: Callable[[Report], None] | None = None,
    ) -> Report:
        """Return the report on `code`.

        `told` is called with the report as soon as there is a verdict, unless it is complete then,
        and again if the search for the mistake takes longer. The questions are drawn from `seed`,
        and kept for the next one with that seed, or have been drawn by `prepare`, or are drawn now.
        When `stop` is set and `stop()` called, StoppedError is raised. Also raises what
        `submission` does, DrillError when the drill fails, and GradingError when no worker can be
        had.
        """
        asked = self.drill(drill)
        submission = self.submission(asked, code, backend)
        drawn = self._questions(asked, submission.backend, seed)
        with self._carrier(submission.backend, stop) as carrier:
            for report in judge.reports(asked, submission, carrier, seed, drawn=drawn):
                if told is not None and not report.complete:
                    told(report)
            return report

    def _questions(self, drill: Drill, backend: str, seed: int | None) -> judge.Drawn:
        """Return what an attempt is asked, with what deep passes found.

        With a seed, the last submissions to the drill were asked the same.
        """
        key = id(drill), backend, seed
        _, drawn = self._drawn.pop(key, (drill, None))
        if drawn is None:
            drawn = judge.draw(drill, backend, self._settings["device"], seed)
        if seed is not None:
            self._drawn[key] = (
                drill,
                drawn,
            )  # the last one used, and keeps the drill's identity alive
            for old in list(self._drawn)[:-_SHARED]:
                self._drawn.pop(old, None)
        folder = self._settings["kept"]
        kept = () if folder is None else deep.Kept(folder).questions(drill, backend)
        return dataclasses.replace(drawn, questions=(*drawn.questions, *kept))

    def deepen(
        self,
        drill: DrillName,
        code: Code,
        report: Report,
        *,
        seconds: float = deep.SECONDS,
        stop: threading.Event | None = None,
    ) -> Report:
        """Return the `report` on code that passed, or one on a question that it fails after all.

        It looks for one as long as this, and keeps what it finds. Raises what `grade` does.
        """
        asked = self.drill(drill)
        submission = self.submission(asked, code, report.backend)
        if not report.passed:
            return report
        with self._carrier(submission.backend, stop) as carrier:
            told, question = deep.search(asked, submission, carrier, report, seconds)
        if question is not None and self._settings["kept"] is not None:
            deep.Kept(self._settings["kept"]).add(asked, question)
        return told

    def mend(
        self,
        drill: DrillName,
        code: Code,
        report: Report,
        *,
        stop: threading.Event | None = None,
    ) -> Report:
        """Return the `report` on `code` with the change that makes it right, if one is found.

        It takes seconds, and raises what `grade` does.
        """
        asked = self.drill(drill)
        submission = self.submission(asked, code, report.backend)
        key = id(asked), str(submission.backend), report.seed
        _, drawn = self._drawn.get(key, (asked, None))
        with self._carrier(submission.backend, stop) as carrier:
            return judge.mended(asked, submission, carrier, carrier.variants, report, drawn=drawn)

    def grade_each(
        self,
        submissions: Iterable[tuple[DrillName, Code]],
        *,
        executor: Executor | Callable[[], Executor] | None = None,
        seed: int | None = None,
        mend: bool = False,
        in_flight: int = batch.IN_FLIGHT,
    ) -> Iterator[tuple[int, Report | StudyattnError]]:
        """Yield the number and the report of each drill and code, as soon as there is one.

        What cannot be graded has the error in the place of its report, and costs no other one. With
        `seed`, equal submissions to a drill are graded once; with `mend`, unnamed ones are mended.

        `executor` is any of `concurrent.futures`, or a function that makes one, which is called
        again when it breaks. Threads use this grader's workers; processes make graders of their
        own, and keep them while they live, so a drill must be named to them. At most `in_flight`
        submissions are handed to it at a time. DrillError when a drill fails: that is no fault of
        a submission.
        """
        distinct: list[tuple[DrillName, Submission]] = []
        numbers: dict[object, list[int]] = {}
        for number, (drill, code) in enumerate(submissions):
            try:
                submission = self.submission(drill, code)
            except DrillError:
                raise
            except InputError as error:
                yield number, error
                continue
            name = drill if isinstance(drill, str | Path) else id(drill)
            key = number if seed is None else (name, digest(submission))
            if key not in numbers:
                distinct.append((drill, submission))
            numbers.setdefault(key, []).append(number)
        equal = list(numbers.values())
        with contextlib.closing(
            self._each_graded(distinct, seed, mend, executor, in_flight)
        ) as results:
            for place, result in results:
                if isinstance(result, DrillError):
                    raise result
                yield from ((number, result) for number in equal[place])

    def _each_graded(
        self,
        distinct: Sequence[tuple[DrillName, Submission]],
        seed: int | None,
        mend: bool,
        executor: Executor | Callable[[], Executor] | None,
        in_flight: int,
    ) -> Generator[tuple[int, Report | StudyattnError]]:
        if executor is None:
            for place, each in enumerate(distinct):
                yield place, self._graded(*each, seed, mend)
        else:
            tasks = ((self._key, self._settings, *each, seed, mend) for each in distinct)
            yield from batch.carry_out(_grade, tasks, executor, in_flight)

    def _graded(
        self, drill: DrillName, submission: Submission, seed: int | None, mend: bool
    ) -> Report | StudyattnError:
        """Return the report, or the error that is raised instead."""
        try:
            report = self.grade(drill, submission, seed=seed)
            if report.passed and self._settings["deep"]:
                report = self.deepen(drill, submission, report)
            return report if report.is_named or not mend else self.mend(drill, submission, report)
        except StudyattnError as error:
            return error

    def measure(
        self,
        subject: lab.Subject,
        *,
        stop: threading.Event | None = None,
        told: Callable[[CostSeries], None] | None = None,
    ) -> CostSeries:
        """Return how the cost of `subject` grows; `told` is called with the series after each n.

        Raises what `grade` does.
        """
        with self._carrier(subject.submission.backend, stop) as carrier:
            return lab.measure(subject, carrier, told=told)

    # ── workers ──────────────────────────────────────────────────────────────────────────────────

    def start(self, backend: Backend | str) -> None:
        """Start what an attempt in `backend` needs, and return at once; it warms up meanwhile.

        NotFoundError when `backend` does not have the device.
        """
        runner = self._taken(Backend(backend))
        try:
            runner.start()
        finally:
            self._put_back(runner)

    def prepare(self, drill: DrillName, backend: Backend | str) -> None:
        """Draw the questions of the next attempt now, and see what mistakes answer to them."""
        asked = self.drill(drill)
        drawn = judge.draw(asked, str(backend), self._settings["device"])
        judge.foresee(asked, drawn)
        self._drawn[id(asked), str(backend), None] = asked, drawn

    def isolation(self, backend: Backend | str = Backend.NUMPY) -> tuple[str, ...]:
        """Return the names of the walls around a worker. GradingError when it cannot be had."""
        with self._carrier(Backend(backend), None) as carrier:
            return carrier.isolation

    def stop(self) -> None:
        """End the attempts under way, from another thread.

        Their reports say that they were ended, or StoppedError is raised where `stop` was given.
        """
        with self._lock:
            busy = list(self._busy)
        for runner in busy:
            runner.stop()

    def close(self) -> None:
        """End all workers; those of an attempt under way end with it. It can be used again."""
        with self._lock:
            self._closed = True
            idle = [runner for runners in self._idle.values() for runner in runners]
            self._idle.clear()
        for runner in idle:
            runner.close()

    @contextlib.contextmanager
    def _carrier(self, backend: Backend, stop: threading.Event | None) -> Iterator[Stoppable]:
        runner = self._taken(backend)
        carrier = Stoppable(runner, stop or threading.Event())
        try:
            yield carrier
        finally:
            carrier.close()
            self._put_back(runner)

    def _taken(self, backend: Backend) -> Runner:
        settings = self._settings
        with self._lock:
            self._closed = False
            runner = self._idle[backend].pop() if self._idle[backend] else None
            if runner is None:
                ahead = settings["ahead"] or settings["device"] == "cuda"
                runner = Runner(backend, settings["device"], settings["limits"], ahead=ahead)
            self._busy.add(runner)
        return runner

    def _put_back(self, runner: Runner) -> None:
        with self._lock:
            self._busy.discard(runner)
            if not self._closed:
                self._idle[runner.backend].append(runner)
                return
        runner.close()


_SHARED = 4
"""Drawings that a grader keeps: submissions to a few drills come in turn."""


def digest(submission: Submission) -> str:
    """Return a name for everything of a submission that its report depends on, its path apart."""
    total = hashlib.sha256(submission.backend.encode())
    for module, source in (
        ("", submission.source),
        *((file.module, file.source) for file in submission.beside or ()),
    ):
        total.update(f"\0{module}\0{len(source)}\0".encode() + source)
    return total.hexdigest()


# ── graders of other processes ───────────────────────────────────────────────────────────────────

_graders: WeakValueDictionary[tuple[int, str], Grader] = WeakValueDictionary()
"""Every grader by its process and key, so that a job for an executor finds the one that sent it."""

_kept: list[Grader] = []
"""Graders that such jobs made in a worker process, which has no other owner for them."""


def _grade(
    key: str, settings: _Settings, drill: DrillName, submission: Submission, *rest: Any
) -> Report | StudyattnError:
    """Grade with this process's grader of that key, made now in a process that has none."""
    grader = _graders.get((os.getpid(), key))
    if grader is None:
        grader = _graders[os.getpid(), key] = Grader(**settings)
        _kept.append(grader)
    return grader._graded(drill, submission, *rest)  # noqa: SLF001 - of this module
