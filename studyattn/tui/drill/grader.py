"""Grading and measuring beside the app: one thread that waits, and warm workers in processes.

The judge runs in a daemon thread, which never keeps the program from ending; submissions run in the
sandbox. The app waits for neither: a verdict arrives as a future, and `stop` ends it at once, also
while the fork server is still starting. Numpy loads in this thread, torch in the workers alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar, cast

from studyattn.errors import StudyattnError

if TYPE_CHECKING:
    from studyattn.grading.call_plan import CallPlan, Outcome
    from studyattn.grading.judge import Drawn
    from studyattn.grading.run.runner import Runner
    from studyattn.grading.submission import Submission
    from studyattn.grading.verdict import Report

T = TypeVar("T")

_AGAIN = 0.05
"""Seconds between two tries to end an attempt: the first may come before it has begun."""

_LONGEST_END = 5.0
"""Seconds for which `close` waits; what is left then ends with the program."""


class _StoppedError(Exception):
    """The learner ended it; nobody waits for an answer any more."""


class _Job:
    """One piece of work on its way to an answer."""

    def __init__(self, backend: str, work: Callable[[Carrier], Any]) -> None:
        self.backend = backend
        self.work = work
        self.stopped = threading.Event()
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Carrier:
    """A runner that carries out nothing for a job that was stopped."""

    def __init__(self, runner: Runner, job: _Job) -> None:
        self._runner = runner
        self._job = job
        self.device = runner.device

    @property
    def isolation(self) -> tuple[str, ...]:
        return self._runner.isolation

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> Sequence[Outcome]:
        """As the runner does; raises when the job was stopped before or meanwhile."""
        self._check()
        outcomes = self._runner.run(submission, programs)
        self._check()
        return outcomes

    @contextlib.contextmanager
    def loaded(
        self, submission: Submission, like: Sequence[CallPlan]
    ) -> Iterator[Callable[[CallPlan], Outcome]]:
        """As the runner does; what it gives raises when the job was stopped."""
        self._check()
        with self._runner.loaded(submission, like) as carry_out:

            def checked(program: CallPlan) -> Outcome:
                self._check()
                outcome = carry_out(program)
                self._check()
                return outcome

            yield checked

    def _check(self) -> None:
        if self._job.stopped.is_set():
            raise _StoppedError


class Grader:
    """Does one piece of work after another; of two, only the last one gets an answer."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._runners: dict[str, Runner] = {}
        self._drawn: dict[tuple[Path, str], Drawn] = {}  # for the next attempt
        self._present: _Job | None = None
        self._carried: _Job | None = None  # what the thread is at
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="grader", daemon=True)
        self._thread.start()

    def warm(self, backend: str) -> None:
        """Start what grading in `backend` needs, and return at once."""
        self._orders.put(lambda: self._start(backend))

    async def grade(self, folder: Path, submission: Submission) -> Report | None:
        """The report of the drill in `folder`; None when it was stopped, or overtaken.

        Raises GradingError or PackError.
        """
        what = folder, str(submission.backend)

        def work(carrier: Carrier) -> Report:
            from studyattn.grading.drill_loader import load_drill
            from studyattn.grading.judge import grade

            return grade(load_drill(folder), submission, carrier, drawn=self._drawn.pop(what, None))

        report = await self.carry_out(submission.backend, work)
        if report is not None:
            self._orders.put(lambda: self._draw(*what))
        return report

    async def carry_out(self, backend: str, work: Callable[[Carrier], T]) -> T | None:
        """What `work` comes to in the thread; None when it was stopped, or overtaken.

        Raises what it raises.
        """
        self.stop()
        job = self._present = _Job(backend, work)
        self._orders.put(lambda: self._carry_out(job))
        try:
            return cast("T | None", await job.answer)
        finally:
            job.stopped.set()

    def tell(self, what: Callable[[], object]) -> None:
        """Have `what` done in the app's loop, from the thread: to say how far the work is."""
        with contextlib.suppress(RuntimeError):  # the app has ended, and its loop with it
            self._loop.call_soon_threadsafe(what)

    @property
    def is_grading(self) -> bool:
        """Whether a verdict is awaited."""
        return self._present is not None and not self._present.answer.done()

    def stop(self) -> None:
        """End what is being graded, if anything: nobody waits for it from now on."""
        job = self._present
        if job is None or job.answer.done():
            return
        job.stopped.set()
        job.answer.set_result(None)
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
            for runner in list(self._runners.values()):
                runner.stop()
            self._loop.call_later(_AGAIN, self._end, job)

    # In the thread.

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            order()
        for runner in self._runners.values():
            runner.close()
        self.tell(self._ended.set)

    def _carry_out(self, job: _Job) -> None:
        self._carried = job
        try:
            answer = job.work(Carrier(self._runner(job.backend), job))
        except _StoppedError:
            return
        except Exception as error:  # noqa: BLE001 - raised again where the verdict is awaited
            self.tell(partial(_fail, job.answer, error))
        else:
            self.tell(partial(_answer, job.answer, answer))
        finally:
            self._carried = None

    def _start(self, backend: str) -> None:
        with contextlib.suppress(OSError, StudyattnError):  # the first verdict will tell of it
            self._runner(backend).start()

    def _draw(self, folder: Path, backend: str) -> None:
        """Draw the next attempt's questions while the learner reads a verdict."""
        from studyattn.grading.drill_loader import load_drill
        from studyattn.grading.judge import draw

        self._drawn[folder, backend] = draw(load_drill(folder), backend, "cpu")

    def _runner(self, backend: str) -> Runner:
        from studyattn.grading.run.runner import Runner
        from studyattn.grading.submission import Backend

        if backend not in self._runners:
            self._runners[backend] = Runner(Backend(backend), ahead=True)
        return self._runners[backend]


def _answer(future: asyncio.Future[Any], answer: object) -> None:
    if not future.done():
        future.set_result(answer)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
