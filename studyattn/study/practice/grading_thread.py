"""Grade and measure beside an event loop, in one thread of its own.

The library's `grading.Grader` works in a daemon thread, which never keeps the program from ending;
submissions run in its warm worker processes. The app and the language server wait for neither: a
report arrives as a future, and `stop` ends it at once, also while a worker is still starting. Numpy
is imported in this thread, torch in the workers alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, TypeVar, cast

from studyattn import grading
from studyattn.errors import StudyattnError

T = TypeVar("T")

_AGAIN = 0.05
"""Seconds between two tries to end an attempt: the first may come before it has begun."""

_LONGEST_END = 5.0
"""Seconds for which `close` waits; what is left then ends with the program."""


Work = Callable[["grading.Grader", threading.Event], T]
"""What is done in the thread; it ends with StoppedError once the event is set."""


class _Job:
    """One piece of work on its way to an answer."""

    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.stopped = threading.Event()
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class GradingThread:
    """Does one piece of work after another; of two, only the last one gets an answer."""

    def __init__(self, kept: Path | None = None) -> None:
        """Nothing is started yet; `kept` is as for `Grader`."""
        self._kept = kept
        self._loop = asyncio.get_running_loop()
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._grader: grading.Grader | None = None  # made in the thread
        self._present: _Job | None = None
        self._carried: _Job | None = None  # what the thread is working on
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="grader", daemon=True)
        self._thread.start()

    def warm(self, backend: str) -> None:
        """Start what grading in `backend` needs, and return at once."""
        self._orders.put(lambda: self._start(backend))

    async def grade(
        self,
        folder: Path,
        submission: grading.Submission,
        told: Callable[[grading.Report], object],
    ) -> grading.Report | None:
        """Return the report of the drill in `folder`; None when it was stopped or overtaken.

        `told` is called with the report as long as the mistake is looked for. Raises GradingError
        or PackError.
        """

        def graded(grader: grading.Grader, stop: threading.Event) -> grading.Report:
            def tell(report: grading.Report) -> None:
                self.tell(lambda: None if stop.is_set() else told(report))

            return grader.grade(folder, submission, stop=stop, told=tell)

        report = await self.carry_out(graded)
        if report is not None:  # draw the next questions while the learner reads
            self._orders.put(lambda: self._made().prepare(folder, submission.backend))
        return report

    async def look_on(
        self,
        way: Literal["mend", "deepen"],
        folder: Path,
        submission: grading.Submission,
        report: grading.Report,
    ) -> grading.Report | None:
        """Return the report with what is found further by a method of `Grader`.

        None when it was stopped or overtaken. Raises what `grade` does.
        """
        return await self.carry_out(
            lambda grader, stop: getattr(grader, way)(folder, submission, report, stop=stop)
        )

    async def carry_out(self, work: Work[T]) -> T | None:
        """Return what `work` returns in the thread; None when it was stopped or overtaken.

        Raises what it raises.
        """
        self.stop()
        job = self._present = _Job(work)
        self._orders.put(lambda: self._carry_out(job))
        try:
            return cast("T | None", await job.answer)
        finally:
            job.stopped.set()

    def tell(self, what: Callable[[], object]) -> None:
        """Have `what` done in the event loop, from the thread: to say how far the work is."""
        with contextlib.suppress(RuntimeError):  # the program has ended, and its loop with it
            self._loop.call_soon_threadsafe(what)

    @property
    def is_grading(self) -> bool:
        """True while a verdict is awaited."""
        return self._present is not None and not self._present.answer.done()

    def stop(self) -> None:
        """End what is being graded, if anything: nobody waits for it from now on."""
        job = self._present
        if job is None:
            return
        if not job.answer.done():
            job.answer.set_result(None)
        elif not job.answer.cancelled():
            return
        # Nobody waits for it: also a screen that is taken down while it waits, as the app quits.
        job.stopped.set()
        self._end(job)

    async def close(self) -> None:
        """End everything. When this returns, no process is left, unless one does not end."""
        self.stop()
        self._orders.put(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_END):
                await self._ended.wait()

    def _end(self, job: _Job) -> None:
        """End its attempt, and try again while the thread is at it: it may only just begin."""
        if self._carried is job:
            if self._grader is not None:
                self._grader.stop()
            self._loop.call_later(_AGAIN, self._end, job)

    # In the thread.

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            order()
        if self._grader is not None:
            self._grader.close()
        self.tell(self._ended.set)

    def _carry_out(self, job: _Job) -> None:
        from studyattn.grading import StoppedError

        self._carried = job
        try:
            answer = job.work(self._made(), job.stopped)
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001 - raised again where the verdict is awaited
            self.tell(partial(_fail, job.answer, error))
        else:
            self.tell(partial(_answer, job.answer, answer))
        finally:
            self._carried = None

    def _start(self, backend: str) -> None:
        with contextlib.suppress(OSError, StudyattnError):  # the first verdict will tell of it
            self._made().start(backend)

    def _made(self) -> grading.Grader:
        from studyattn.grading import Grader

        if self._grader is None:
            self._grader = Grader(ahead=True, kept=self._kept)
        return self._grader


def _answer(future: asyncio.Future[Any], answer: object) -> None:
    if not future.done():
        future.set_result(answer)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
