"""A worker that holds a model, as the process that asks for it sees it.

It is a worker of `grading`, with the same walls. Nothing that it says is trusted: its answers are
read by their declared types, and it is ended when one takes too long. This side has no torch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import ClassVar, Final, Self, TypeVar

import msgspec
import numpy as np

from studyattn.errors import GradingError, ModelPartError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.grading.call_plan import (
    Argument,
    ArrayInput,
    ArrayOutput,
    Call,
    CallPlan,
    Ended,
    Finished,
    Invalid,
    Outcome,
    Raised,
)
from studyattn.grading.run import codec, submission_loader, wire
from studyattn.grading.run.runner import Runner, next_outcome
from studyattn.grading.submission import Backend, SourceFile, Submission
from studyattn.lm.records import Failure

READY: Final = 60.0
"""Seconds in which a model is ready, on a slow machine and with a large text."""

TRIED: Final = 20.0
"""Seconds in which a part answers once."""

ANSWERED: Final = 60.0
"""Seconds in which a worker answers, beside those that it is asked to train for."""

GRACE: Final = 5.0
"""Seconds after these in which a worker says itself which part was too slow."""

T = TypeVar("T")


class StoppedError(Exception):
    """The worker was ended because `stop` was called."""


class WorkerProcess:
    """One worker. A context manager; `stop` may be called from any thread.

    Attributes:
        WORKER: the module that it runs.
        ENTRIES: the functions of that module that it can be asked for.
        DRILLS: the drill of each part that has one.
    """

    WORKER: ClassVar[str]
    ENTRIES: ClassVar[tuple[str, ...]]
    DRILLS: ClassVar[Mapping[str, str]]

    def __init__(self, server: Runner, beside: Iterable[SourceFile], order: object) -> None:
        """Start a worker with the files `beside` and have it `assemble` what is ordered.

        Raises ModelPartError for a part that cannot be used, GradingError when no worker can be
        had, NotFoundError if torch is not installed.
        """
        if not is_installed("torch"):
            raise NotFoundError(
                "torch is not installed, but models need it",
                advice=how_to_install("torch"),
            )
        self._stopped = False
        self._open = contextlib.ExitStack()
        try:
            self._attempt = self._open.enter_context(server.another_worker())
            self._load(beside)
            self._asked("assemble", as_input(msgspec.json.encode(order)), seconds=READY)
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker and all that it started."""
        self._open.close()

    def stop(self) -> None:
        """End the worker, from another thread; what it is asked then raises StoppedError."""
        self._stopped = True
        self._attempt.stop()

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _load(self, beside: Iterable[SourceFile]) -> None:
        submission = Submission(
            "the model",
            f"from {self.WORKER} import {', '.join(self.ENTRIES)}\n".encode(),
            Backend.TORCH,
            self.ENTRIES,
            beside=tuple(beside),
        )
        self._attempt.start_clock(READY)
        self._attempt.send(submission_loader.order(submission, ()).to_frame())
        outcome = next_outcome(self._attempt)
        if outcome is not None:
            raise self._error(outcome, "", READY)

    def _value(
        self, kind: type[T], function: str, *given: Argument, seconds: float, part: str = ""
    ) -> T:
        """Call a function in the worker and return its value.

        `part` is the one that is blamed if there is no answer at all.
        """
        answer = self._asked(function, *given, seconds=seconds, part=part)
        try:
            told = msgspec.json.decode(answer)
            return msgspec.convert(told["value"], kind)
        except (msgspec.MsgspecError, KeyError, TypeError) as error:
            raise GradingError(f"the worker of the model gave no answer: {error}") from error

    def _asked(self, function: str, *given: Argument, seconds: float, part: str = "") -> bytes:
        """Call a function in the worker and return its answer, unless it is a failure."""
        plan = CallPlan((Call(function, (seconds, *given)),), check_inputs=False)
        self._attempt.start_clock(seconds + GRACE)
        self._attempt.send(codec.encode_program(plan))
        outcome = next_outcome(self._attempt)
        result = outcome.registers.get("result") if isinstance(outcome, Finished) else None
        if not isinstance(result, ArrayOutput):
            raise self._error(outcome, part, seconds)
        answer = result.values.tobytes()
        if answer.startswith(b'{"failure"'):
            with contextlib.suppress(msgspec.MsgspecError):
                told = wire.harmless(msgspec.json.decode(answer))
                failure = msgspec.convert(told["failure"], Failure)
                raise self._part_error(failure)
        return answer

    def _error(self, outcome: Outcome | None, part: str, seconds: float) -> Exception:
        """Return the error for an outcome that is no answer."""
        if self._stopped:
            return StoppedError()
        match outcome:
            case Ended("timeout"):
                message = f"it is too slow: no answer within {seconds:g} s"
            case Ended():
                message = outcome.detail
            case Raised():
                message = outcome.told
            case Invalid():
                message = outcome.message
            case _:
                message = "it gave no answer"
        if part:
            return self._part_error(Failure(part, message))
        return GradingError(f"the model's worker: {message}")

    def _part_error(self, failure: Failure) -> ModelPartError:
        drill = self.DRILLS.get(failure.part)
        line = f", {failure.line} (in `studyattn drill mine`)" if failure.line else ""
        advice = "" if drill is None else f"Its drill is {drill}: `studyattn drill start {drill}`."
        return ModelPartError(
            failure.message, part=failure.part, where=f"{failure.part}{line}", advice=advice
        )


def as_input(data: bytes) -> ArrayInput:
    """Return bytes as the input of a call."""
    return ArrayInput(np.frombuffer(data, np.uint8), "uint8")


def text_input(text: str) -> ArrayInput:
    """Return a text as the input of a call, in UTF-8; a lone surrogate becomes a `?`."""
    return as_input(text.encode("utf-8", "replace"))
