"""A worker that holds a model, as the process that asks for it sees it.

It is a worker of `grading`, with the same walls. Nothing that it says is trusted: its answers are
read by their declared types, and it is ended when one takes too long. This side has no torch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import msgspec
import numpy as np

from studyattn.errors import GradingError, InputError, ModelPartError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.grading.call_plan import (
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
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run import codec, submission_loader, wire
from studyattn.grading.run.runner import Runner, next_outcome
from studyattn.grading.submission import Backend, SourceFile, Submission, own_package
from studyattn.lm import questions
from studyattn.lm.parts import GPT, LLAMA, ModelKind
from studyattn.lm.questions import Question
from studyattn.lm.records import Failure, ModelOrder

LIMITS: Final = ResourceLimits(
    seconds=7 * 24 * 3600.0,  # of CPU time; each answer has a limit of its own
    memory=3072 * MEBIBYTE,
    file_size=0,
    output=1 << 50,  # what parts print while they train for hours is dropped
)

GRACE: Final = 5.0
"""Seconds after these in which a worker says itself which part was too slow."""

_PROGRAM: Final = Path(__file__).resolve().parents[1]
_NOTHING: Final = b'"""Nothing of this is needed here."""\n'
_FOR_MISTAKES: Final = ("errors", "grading.pack_errors", "grading.misconception")

PACK: Final = "pack"
"""The name by which a worker imports the pack of a mistake."""

T = TypeVar("T")


class StoppedError(Exception):
    """The worker was ended because that was asked for."""


class ModelServer(Runner):
    """Starts workers of models; a context manager that ends them all.

    `folder` is where a model with so many parameters is kept: its workers may read it. Without
    one, they are GPTs.
    """

    def __init__(
        self,
        folder: Path | None = None,
        parameters: int = 0,
        *,
        kind: ModelKind | None = None,
        backend: Backend = Backend.TORCH,
    ) -> None:
        self.folder = folder
        self.kind = kind or (LLAMA if folder else GPT)
        memory = LIMITS.memory + (parameters * 4 + 512 * MEBIBYTE if folder else 0)
        limits = dataclasses.replace(LIMITS, memory=memory)
        super().__init__(backend, limits=limits, readable=[str(folder)] if folder else ())


class ModelProcess:
    """One worker with one model. A context manager; `stop` may be called from any thread.

    What it is asked raises ModelPartError for a part that cannot be used, GradingError without a
    worker, InputError for what the model cannot answer, and StoppedError after `stop`.
    """

    def __init__(
        self, server: ModelServer, order: ModelOrder, own: Iterable[tuple[str, str]], pack: Path
    ) -> None:
        """Nothing is started yet.

        `own` are the names and texts of the files of the learner's package, `pack` the folder of
        the pack of a mistake.
        """
        self.kind = server.kind
        self._server = server
        self._order = order
        self._beside = tuple(_beside(own, order, pack))
        self._stopped = threading.Event()
        self._open: contextlib.ExitStack | None = None

    def __enter__(self) -> Self:
        """Start the worker, assemble the model in it and make it ready.

        Raises NotFoundError if torch is not installed, and what a question raises.
        """
        if self._server.backend is Backend.TORCH and not is_installed("torch"):
            raise NotFoundError(
                "torch is not installed, but models need it",
                advice=how_to_install("torch"),
            )
        with contextlib.ExitStack() as open_:
            with self._asking():
                self._attempt = open_.enter_context(self._server.another_worker())
                self._load()
            self.ask(questions.ASSEMBLE, order=self._order)
            self.prepare()
            self._open = open_.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End the worker and all that it started."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def stop(self) -> None:
        """End the worker with its server."""
        self._stopped.set()
        self._server.close()

    def prepare(self) -> None:
        """Make the model ready once it is assembled."""

    def diagnosis(self, _part: str) -> str:
        """Return what more is known of a part that cannot be used; nothing if there is no more."""
        return ""

    @property
    def is_started(self) -> bool:
        """True while its worker is there."""
        return self._open is not None

    # ── how it is asked ──────────────────────────────────────────────────────────────────────────

    def started(self, ask: Callable[[Self], T]) -> T:
        """Return what `ask` returns: the first starts the worker, one that fails ends it."""
        try:
            if not self.is_started:
                self.__enter__()
            return ask(self)
        except (GradingError, ModelPartError):
            self.__exit__()
            raise

    def ask(self, question: Question[T], **given: Any) -> T:
        """Return the model's answer. A lone surrogate in a text becomes a `?`."""
        texts = {name: value for name, value in given.items() if isinstance(value, str)}
        given |= {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}
        asked = np.frombuffer(msgspec.json.encode({"of": question.of, **given}), np.uint8)
        seconds = question.seconds + given.get("seconds", 0.0)
        plan = CallPlan((Call("ask", (seconds, ArrayInput(asked, "uint8"))),), check_inputs=False)
        with self._asking():
            self._attempt.start_clock(seconds + GRACE)
            self._attempt.send(codec.encode_program(plan))
            outcome = next_outcome(self._attempt)
            result = outcome.registers.get("result") if isinstance(outcome, Finished) else None
            if not isinstance(result, ArrayOutput):
                raise self._error(outcome, question.part, seconds)
            return self._told(result.values.tobytes(), question)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Add a diagnosis to the error of a part; a worker that was stopped has no error."""
        if self._stopped.is_set():
            raise StoppedError
        try:
            yield
        except (GradingError, ModelPartError) as error:
            if self._stopped.is_set():
                raise StoppedError from error
            told = self.diagnosis(error.part) if isinstance(error, ModelPartError) else ""
            if self._stopped.is_set():
                raise StoppedError from error
            if not told or not isinstance(error, ModelPartError):
                raise
            raise ModelPartError(
                f"{error.message.rstrip('.')}. Graded again, {told}",
                part=error.part,
                where=error.where,
                advice=error.advice,
            ) from error

    def _load(self) -> None:
        submission = Submission(
            "the model",
            b"from studyattn.lm.worker import ask\n",
            self._server.backend,
            ("ask",),
            beside=self._beside,
        )
        self._attempt.start_clock(questions.READY)
        self._attempt.send(submission_loader.order(submission, ()).to_frame())
        outcome = next_outcome(self._attempt)
        if outcome is not None:
            raise self._error(outcome, "", questions.READY)

    def _told(self, answer: bytes, question: Question[T]) -> T:
        """Return the value of an answer. Raises where a part failed, or the model refused."""
        try:
            told = msgspec.json.decode(answer)
            if "value" in told:
                return msgspec.convert(told["value"], question.answer)
            if "refused" in told:
                message, advice = msgspec.convert(wire.harmless(told["refused"]), tuple[str, str])
                error: Exception = InputError(message, advice=advice)
            else:
                failure = msgspec.convert(wire.harmless(told["failure"]), Failure)
                error = self._part_error(failure)
        except (msgspec.MsgspecError, KeyError, TypeError) as damaged:
            raise GradingError(f"the worker of the model gave no answer: {damaged}") from damaged
        raise error

    def _error(self, outcome: Outcome | None, part: str, seconds: float) -> Exception:
        """Return the error for an outcome that is no answer."""
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
        drill = self.kind.all_drills.get(failure.part)
        line = f", {failure.line} (in `studyattn drill mine`)" if failure.line else ""
        advice = "" if drill is None else f"Its drill is {drill}: `studyattn drill start {drill}`."
        return ModelPartError(
            failure.message, part=failure.part, where=f"{failure.part}{line}", advice=advice
        )


# ── what it is given to import ───────────────────────────────────────────────────────────────────


def _beside(own: Iterable[tuple[str, str]], order: ModelOrder, pack: Path) -> Iterator[SourceFile]:
    """Yield all that the worker of a model is given to import, as text.

    It can read neither this program nor the learner's files. The reference is among it only for a
    model that makes a mistake, whose attention is the reference's.

    `own` are the names and texts of the files of the learner's package, `pack` the folder of the
    pack of a mistake.
    """
    yield _empty("studyattn")
    for name in ("lm", "lm.llama"):
        yield from _package(_PROGRAM.joinpath(*name.split(".")), f"studyattn.{name}")
    yield from own_package(own)
    if order.mistake is not None:
        yield _empty("studyattn.grading")
        yield from map(_module, _FOR_MISTAKES)
        yield from _package(_PROGRAM / "attention", "studyattn.attention")
        yield _empty(PACK)
        yield from _package(pack / "misconceptions", f"{PACK}.misconceptions")
        if order.mistake.reference:
            yield _module("grading.call_plan")
            yield from _package(pack / "reference", f"{PACK}.reference")
            yield from (
                SourceFile(f"{PACK}/shared.py", path.read_bytes(), f"{PACK}.shared")
                for path in (pack / "shared.py",)
                if path.exists()
            )


def _module(name: str) -> SourceFile:
    path = _PROGRAM.joinpath(*name.split(".")).with_suffix(".py")
    return SourceFile(f"studyattn/{name}", path.read_bytes(), f"studyattn.{name}")


def _package(folder: Path, name: str) -> Iterator[SourceFile]:
    if not (folder / "__init__.py").exists():
        yield _empty(name)
    for path in sorted(folder.glob("*.py")):
        module = name if path.name == "__init__.py" else f"{name}.{path.stem}"
        yield SourceFile(f"{name}/{path.name}", path.read_bytes(), module)


def _empty(module: str) -> SourceFile:
    return SourceFile(f"{module}/__init__.py", _NOTHING, module)
