"""Running submissions: a warm fork server, and one enclosed worker for each attempt.

The judge's side of the wall. A `Runner` starts its server when it is first needed, or with `start`,
and starts it anew should it be lost. It hands over programs, which hold inputs alone, and gives
back what the worker answered, checked for form. What the answers are worth is the judge's.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from types import TracebackType
from typing import Self

from studyattn.errors import GradingError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.grading.call_plan import CallPlan, Ended, Invalid, Outcome
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run import codec, submission_loader
from studyattn.grading.run.conversation import (
    Conversation,
    ServerLostError,
    WorkerEndedError,
    killed_by,
    malformed,
)
from studyattn.grading.run.wire import MalformedError
from studyattn.grading.sandbox import Level
from studyattn.grading.sandbox.filesystem import PACKAGE
from studyattn.grading.submission import MAX_SOURCE, Backend, Submission

START_SECONDS = 120.0  # a cold disk and a busy machine included
VARIANTS_AHEAD = 16  # variants that are sent before the first one is answered
WARM_UP_SECONDS = 60.0  # for a worker to be enclosed and its device to be ready


class Runner:
    """Runs submissions of one backend on one device. A context manager, for any thread.

    Attempts are made one after another. On a GPU the next worker is started ahead of time, because
    making a device ready takes seconds and must follow the fork; `ahead` asks for it on a CPU.
    """

    def __init__(
        self,
        backend: Backend = Backend.TORCH,
        device: str = "cpu",
        limits: ResourceLimits | None = None,
        *,
        ahead: bool | None = None,
        package: bool = False,
        readable: Collection[str] = (),
        imported: Collection[str] = (),
        without: Collection[Level] = (),
    ) -> None:
        """NotFoundError when `backend` has no such device.

        With `package`, what runs may import studyattn. `readable` are further folders that it may
        read, `imported` modules that the server imports for all of them. `without` leaves walls
        out, for tests.
        """
        if device not in {"cpu", "cuda"} or (backend is Backend.NUMPY and device != "cpu"):
            raise NotFoundError(
                f"{backend.value} has no device {device!r}", advice="Use --device cpu."
            )
        self.backend = backend
        self.device = device
        self.limits = limits or ResourceLimits()
        self._ahead = device == "cuda" if ahead is None else ahead
        self._options = {
            "package": package,
            "readable": list(readable),
            "imported": list(imported),
            "without": [level.value for level in without],
        }
        self._server: _Server | None = None
        self._spare: Conversation | None = None
        self._current: Conversation | None = None
        self._leaving: threading.Thread | None = None  # sees the last one to its end
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the fork server and return at once; it becomes warm meanwhile.

        Raises NotFoundError if the backend's library is not installed.
        """
        with self._lock:
            if self._server is None:
                if not is_installed(self.backend.value):
                    raise NotFoundError(
                        f"{self.backend.value} is not installed, but this has to run with it",
                        advice=f"{how_to_install(self.backend.value)} Or write the drill in numpy:"
                        " without torch, `studyattn drill start` does so.",
                    )
                self._server = _Server(self.backend, self.device, self._options)

    @property
    def isolation(self) -> tuple[str, ...]:
        """The walls around each worker, by name. Waits until the server is warm."""
        with self._lock:
            return self._warm().isolation

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        """Carry out `programs` in order in one new worker; an outcome for each of them.

        A program that ends the worker ends those after it too. Raises GradingError when no worker
        can be had, NotFoundError when the device is not there.
        """
        outcomes = tuple(self.answers(submission, programs))
        self.settle()
        return outcomes

    def answers(self, submission: Submission, programs: Sequence[CallPlan]) -> Generator[Outcome]:
        """Yield what `run` returns while the worker goes on; `settle` waits until it has ended."""
        with self._turn(submission.forbidden) as attempt:
            yield from _Series(attempt, submission, programs).carry_out(programs)

    def settle(self) -> None:
        """Wait until the last worker has ended and its scratch folder is gone."""
        with self._lock:
            if self._leaving is not None:
                self._leaving.join()

    @contextlib.contextmanager
    def loaded(
        self, submission: Submission, like: Sequence[CallPlan]
    ) -> Iterator[Callable[[CallPlan], Outcome]]:
        """`submission` in one new worker, which carries out one program after another.

        Those to come call the same entries as `like`. The clock runs for the whole block.
        """
        with self.worker(submission.forbidden) as attempt:
            series = _Series(attempt, submission, like)
            yield lambda program: next(series.carry_out([program]))

    def variants(
        self,
        submission: Submission,
        sources: Sequence[bytes],
        programs: Sequence[CallPlan],
        seconds: float,
    ) -> Generator[tuple[Outcome, ...]]:
        """Yield the outcomes of `programs` for `submission` with each of `sources` as its text.

        As many as possible run in one worker, where one may leave something to those after it: what
        they answer is a hint, and `run` has the truth. One that ends its worker, or does not answer
        within `seconds`, has `Ended` for an outcome, and the next ones get a new worker.
        """
        orders = [
            submission_loader.order(dataclasses.replace(submission, source=source), programs)
            for source in sources
        ]
        asked = [codec.encode_program(program) for program in programs]
        done = 0
        while done < len(orders):
            with self._turn(submission.forbidden) as attempt:
                for begin in range(done, len(orders), VARIANTS_AHEAD):
                    batch = orders[begin : begin + VARIANTS_AHEAD]
                    for order in batch:
                        attempt.send(order.to_frame())
                        for frame in asked:
                            attempt.send(frame)
                    for _ in batch:
                        outcomes = _of_variant(attempt, len(asked), seconds)
                        done += 1
                        yield outcomes
                        if isinstance(outcomes[-1], Ended):
                            break
                    else:
                        continue
                    break

    @contextlib.contextmanager
    def worker(self, forbidden: tuple[str, ...] = ()) -> Iterator[Conversation]:
        """An enclosed worker that waits for its first order, ended when the block is left."""
        with self._lock:
            try:
                with self._turn(forbidden) as attempt:
                    yield attempt
            finally:
                self.settle()

    @contextlib.contextmanager
    def another_worker(self) -> Iterator[Conversation]:
        """A worker beside all others, ended when the block is left; `stop` does not end it."""
        with self._lock:
            attempt = self._new_attempt(())
        with attempt:
            _await_ready(attempt)
            yield attempt

    @contextlib.contextmanager
    def _turn(self, forbidden: tuple[str, ...]) -> Iterator[Conversation]:
        """A worker, on its way to its end when the block is left."""
        with self._lock:
            attempt = self._current = self._ready_attempt(forbidden)
            try:
                yield attempt
            finally:
                self._current = None
                attempt.end()
                self.settle()
                # Nobody waits for it; a program that ends does, since it is no daemon.
                self._leaving = threading.Thread(target=attempt.close, name="end of a worker")
                self._leaving.start()
            if self._ahead:
                self._spare = self._new_attempt(forbidden)

    def stop(self) -> None:
        """End the attempt under way, if any, from another thread. Its outcome is `Ended`."""
        attempt = self._current
        if attempt is not None:
            attempt.stop()

    def close(self) -> None:
        """End the server, and any worker. The runner can be used again after that."""
        with self._lock:
            self.settle()
            if self._spare is not None:
                self._spare.close()
                self._spare = None
            if self._server is not None:
                self._server.close()
                self._server = None

    def _warm(self) -> _Server:
        self.start()
        assert self._server is not None  # noqa: S101  # start has just seen to it
        try:
            self._server.wait()
        except GradingError:
            self._server.close()
            self._server = None
            raise
        return self._server

    def _ready_attempt(self, forbidden: tuple[str, ...]) -> Conversation:
        """A worker that has said it is ready. A lost server is replaced once."""
        spare, self._spare = self._spare, None
        if spare is not None and spare.forbidden != forbidden:  # made for another drill
            spare.close()
            spare = None
        try:
            return _ready(spare or self._new_attempt(forbidden))
        except (ServerLostError, WorkerEndedError):
            self.close()
        try:
            return _ready(self._new_attempt(forbidden))
        except (ServerLostError, WorkerEndedError) as error:
            self.close()
            raise GradingError(f"no worker could be started: {error}") from error

    def _new_attempt(self, forbidden: tuple[str, ...]) -> Conversation:
        return Conversation(self._warm().control, self.limits, forbidden)


def _ready(attempt: Conversation) -> Conversation:
    """Return the attempt once its worker is ready; it is closed where that fails."""
    try:
        _await_ready(attempt)
    except BaseException:
        attempt.close()
        raise
    return attempt


def _await_ready(attempt: Conversation) -> None:
    attempt.start_clock(WARM_UP_SECONDS)
    match attempt.receive().header:
        case codec.Unfit(message, no_device=True):
            raise NotFoundError(message, advice="Use --device cpu.")
        case codec.Unfit(message):
            raise GradingError(f"the sandbox cannot be set up: {message}")


class _Series:
    """Programs for one submission in one worker; one that ends it ends all after it too."""

    def __init__(
        self, attempt: Conversation, submission: Submission, programs: Sequence[CallPlan]
    ) -> None:
        """Has the submission loaded, for `programs` or others that make the same calls."""
        attempt.start_clock(attempt.limits.seconds, attempt.limits.seconds_when_busy)
        self._attempt = attempt
        self._settled: Outcome | None = None
        self._is_loaded = False
        sources = (submission.source, *(file.source for file in submission.beside or ()))
        self._is_deep = any(b"setrecursionlimit" in source for source in sources)
        size = len(submission.source) + sum(len(file.source) for file in submission.beside or ())
        if size > MAX_SOURCE:
            what = "the file and the files it imports have" if submission.beside else "the file has"
            message = f"{what} {size / MEBIBYTE:.1f} MiB; a submission has at most 1 MiB"
            self._settled = Invalid(message)
        else:
            attempt.send(submission_loader.order(submission, programs).to_frame())

    def carry_out(self, programs: Sequence[CallPlan]) -> Iterator[Outcome]:
        """Yield the outcome of each program.

        All of them are sent before the first answer is awaited: a round trip takes longer than
        most programs. The first answer that is missing tells which program ended the worker.
        """
        if self._settled is None:
            for program in programs:
                self._attempt.send(codec.encode_program(program))
            if not self._is_loaded:
                self._is_loaded = True
                self._settled = next_outcome(self._attempt)
        for _ in programs:
            yield self._next()

    def _next(self) -> Outcome:
        if self._settled is not None:
            return self._settled
        outcome = next_outcome(self._attempt)
        if outcome is None:
            outcome = malformed(MalformedError("a reply to a different question"))
        if isinstance(outcome, Ended):
            if self._is_deep and outcome.detail == killed_by(signal.SIGSEGV):
                detail = "it calls itself without end, until its stack is full"
                outcome = dataclasses.replace(outcome, detail=detail)
            self._settled = outcome
        return outcome


def _of_variant(attempt: Conversation, programs: int, seconds: float) -> tuple[Outcome, ...]:
    """Return the next outcomes, of one variant; one that ends the worker ends those after it."""
    attempt.start_clock(seconds)
    loaded = next_outcome(attempt)
    outcomes: list[Outcome] = [loaded] if isinstance(loaded, Ended) else []
    while len(outcomes) < programs and not (outcomes and isinstance(outcomes[-1], Ended)):
        outcome = next_outcome(attempt)
        unasked = malformed(MalformedError("a reply to a different question"))
        outcomes.append(unasked if outcome is None else outcome)
    return (*outcomes, *outcomes[-1:] * (programs - len(outcomes)))


def next_outcome(attempt: Conversation) -> Outcome | None:
    """Return the next answer as an outcome; None when it says that the submission is loaded."""
    try:
        answer = attempt.receive()
        match answer.header:
            case codec.Loaded():
                return None
            case codec.OutOfMemory():
                most = attempt.limits.memory // MEBIBYTE
                outcome: Outcome = Ended("memory", f"it needed more than {most} MiB")
            case _:
                outcome = codec.decode_outcome(answer)
        return dataclasses.replace(outcome, printed=attempt.printed())
    except WorkerEndedError as error:
        return dataclasses.replace(error.ended, printed=attempt.output.take())
    except MalformedError as error:
        return dataclasses.replace(malformed(error), printed=attempt.output.take())


class _Server:
    """A fork server as its runner holds it."""

    def __init__(self, backend: Backend, device: str, options: dict[str, object]) -> None:
        self.control, theirs = socket.socketpair()
        self.isolation: tuple[str, ...] = ()
        command = [sys.executable, "-P", "-m", "studyattn.grading.run.fork_server"]
        arguments = [backend.value, device, str(theirs.fileno()), json.dumps(options)]
        with theirs:
            self._process = subprocess.Popen(
                command + arguments,
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_environment(),
                cwd="/",
                start_new_session=True,
            )

    def wait(self) -> None:
        """Block until the server is warm. GradingError when it is not within its time."""
        if self.isolation:
            return
        self.control.settimeout(START_SECONDS)
        text = b""
        try:
            while not text.endswith(b"\n"):
                part = self.control.recv(4096)
                if not part:
                    raise GradingError(f"the fork server ended at its start: {self._complaint()}")
                text += part
        except OSError as error:
            raise GradingError(f"the fork server does not start: {error}") from error
        self.control.settimeout(None)
        self.isolation = tuple(json.loads(text)["isolation"])

    def close(self) -> None:
        """End the server. Its workers end with it."""
        self.control.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _complaint(self) -> str:
        """The last line that the server wrote of why it ended."""
        stderr = self._process.stderr
        if stderr is None or not select.select([stderr], [], [], 1.0)[0]:
            return "no reason was given"
        lines = os.read(stderr.fileno(), 1 << 16).decode("utf-8", "replace").splitlines()
        return lines[-1] if lines else "no reason was given"


def _environment() -> dict[str, str]:
    """The variables that a submission may see: none that could hold a secret."""
    kept = (
        *("PATH", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONPATH", "LD_LIBRARY_PATH"),
        *("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"),
    )
    single = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    chosen = {name: os.environ[name] for name in kept if name in os.environ}
    # The server runs in another folder, so a checkout that is not installed is pointed out to it.
    if PACKAGE.parent.name != "site-packages":
        others = filter(None, chosen.get("PYTHONPATH", "").split(os.pathsep))
        paths = (str(PACKAGE.parent), *map(os.path.abspath, others))
        chosen["PYTHONPATH"] = os.pathsep.join(paths)
    return chosen | dict.fromkeys(single, "1") | {"PYTHONDONTWRITEBYTECODE": "1"}
