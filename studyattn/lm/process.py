"""A worker that holds a model, as the process that asks for it sees it.

It is a worker of `grading`, with the same walls. Nothing that it says is trusted: its answers are
read by their declared types, and it is ended when one takes too long. This side has no torch.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Iterator
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
from studyattn.lm.parts import ATTENTION, CACHE, CAUSAL, GENERATE, GPT, GROUPED, LLAMA, ModelKind
from studyattn.lm.records import (
    CacheCheck,
    Failure,
    FirstModelText,
    Guess,
    HeadTables,
    HeadWeights,
    ModelOrder,
    Patched,
    Patterns,
    Piece,
    Switched,
    TextScore,
    TrainingProgress,
)

LIMITS: Final = ResourceLimits(
    seconds=7 * 24 * 3600.0,  # of CPU time; each answer has a limit of its own
    memory=3072 * MEBIBYTE,
    file_size=0,
    output=1 << 50,  # what parts print while they train for hours is dropped
)

READY: Final = 60.0
"""Seconds in which a model is ready, on a slow machine and with a large text."""

TRIED: Final = 20.0
"""Seconds in which a part answers once."""

ANSWERED: Final = 60.0
"""Seconds in which a GPT answers, beside those that it is asked to train for."""

LONGEST: Final = 300.0
"""Seconds in which a real model scores a text or reads a prompt, on a slow machine."""

GRACE: Final = 5.0
"""Seconds after these in which a worker says itself which part was too slow."""

MOST_SHOWN: Final = 32
"""Tokens of a text whose patterns are looked at."""

_AT_ONCE: Final = 2
"""Tokens from one piece of written text to the next."""

_SCORED: Final = 2
"""Tokens of the shortest text that has a perplexity."""

_ENTRIES: Final = ("assemble", "ask")

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
    """One worker with one model. A context manager; `stop` may be called from any thread."""

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
        self._writes = GENERATE if GENERATE in order.own else CACHE
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start the worker and assemble the model in it.

        Raises ModelPartError for a part that cannot be used, GradingError when no worker can be
        had, NotFoundError if torch is not installed.
        """
        if self._server.backend is Backend.TORCH and not is_installed("torch"):
            raise NotFoundError(
                "torch is not installed, but models need it",
                advice=how_to_install("torch"),
            )
        with contextlib.ExitStack() as open_:
            self._attempt = open_.enter_context(self._server.another_worker())
            self._load()
            self._answer(type(None), "assemble", msgspec.json.encode(self._order), READY)
            self._open = open_.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End the worker and all that it started."""
        self._open.close()

    def stop(self) -> None:
        """End the worker with its server."""
        self._server.close()

    # ── what any model can be asked ──────────────────────────────────────────────────────────────

    def try_part(self, name: str) -> None:
        """Use a part. Raises ModelPartError for one that fails, is slow or differs."""
        self._asked(type(None), "try_part", TRIED, name, name=name)

    def prompt(
        self, text: str, count: int, *, temperature: float, seed: int, cached: bool = True
    ) -> None:
        """Begin to write up to `count` tokens after a text."""
        if self.kind.name == LLAMA.name:
            self._writes = GROUPED if cached else CAUSAL
        how = {"temperature": temperature, "seed": seed, "cached": cached}
        self._asked(type(None), "prompt", READY, text=text, count=count, **how)

    def write(self, count: int) -> Piece:
        """Return the next tokens as text."""
        seconds = LONGEST if self.kind.name == LLAMA.name else ANSWERED
        return self._asked(Piece, "write", seconds, self._writes, count=count)

    def say(
        self,
        prompt: str,
        *,
        tokens: int,
        cached: bool = True,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Piece]:
        """Yield pieces of what the model writes after a prompt."""
        self.prompt(prompt, tokens, temperature=temperature, seed=seed, cached=cached)
        left = tokens
        while left > 0:
            piece = self.write(min(_AT_ONCE, left))
            left -= piece.tokens
            yield piece
            if piece.over:
                return

    def tell(self) -> FirstModelText:
        """Have the first model write its text, and measure its loss."""
        return self._asked(FirstModelText, "tell", TRIED)

    # ── what a GPT can be asked ──────────────────────────────────────────────────────────────────

    def begin(self, text: str) -> int:
        """Draw a new model for a text; return the number of its parameters."""
        return self._asked(int, "begin", READY, text=text)

    def advance(self, seconds: float, most: int | None) -> TrainingProgress:
        """Train for so many seconds, at most up to a step."""
        limit = ANSWERED + seconds
        return self._asked(
            TrainingProgress, "training.advance", limit, ATTENTION, seconds=seconds, most=most
        )

    def finish(self) -> TrainingProgress:
        """Measure the validation loss and write a sample."""
        return self._asked(TrainingProgress, "training.finish", ANSWERED, CACHE)

    def check_cache(self) -> CacheCheck:
        """Compare the cached attention with the plain one."""
        return self._asked(CacheCheck, "training.check_cache", ANSWERED, CACHE)

    def checkpoint(self) -> bytes:
        """Return the model as `torch.save` writes it."""
        return self._asked(bytes, "checkpoint", ANSWERED)

    def load(self, saved: bytes) -> None:
        """Take the model of a checkpoint."""
        self._asked(type(None), "load", READY, saved=saved)

    # ── what a real model can be asked ───────────────────────────────────────────────────────────

    def score(self, text: str) -> TextScore:
        """Return how well the model expects a text. Raises InputError for less than two tokens."""
        found = self._asked(TextScore, "score", LONGEST, CAUSAL, text=text)
        if found.tokens < _SCORED:
            raise InputError(
                "this text is too short: its first token is not scored",
                advice="Use a text of several words.",
            )
        return found

    def measured(self) -> dict[str, float]:
        """Return what the parts that were put into the model came to."""
        return self._asked(dict[str, float], "measured", TRIED)

    def patch(self, clean: str, corrupted: str) -> Patched:
        """Return two next tokens, patched layer by layer. Raises InputError for other lengths."""
        part = next(iter(self._order.puts)).entries[1]
        texts = {"clean": clean, "corrupted": corrupted}
        found = self._asked(list[Patched], "patch", LONGEST, part, **texts)
        if not found:
            raise InputError(
                "the two prompts need the same number of tokens, and must differ",
                advice="Exchange one word for another that is as common.",
            )
        return found[0]

    def heads(self, text: str) -> list[HeadWeights]:
        """Return what every head attends to in a text."""
        return self._asked(list[HeadWeights], "heads", LONGEST, CAUSAL, text=text)

    def patterns(self, text: str) -> Patterns:
        """Return the weights of all heads on the first `MOST_SHOWN` tokens of a text."""
        return self._asked(Patterns, "patterns", LONGEST, CAUSAL, text=text, most=MOST_SHOWN)

    def head(self, text: str, head: tuple[int, int], switched: Switched, count: int) -> HeadTables:
        """Return what a head (layer, head) computes for these tokens, and what comes next."""
        how = {"most": MOST_SHOWN, "head": head, "switched": switched, "count": count}
        return self._asked(HeadTables, "head", LONGEST, CAUSAL, text=text, **how)

    def guesses(self, text: str, count: int, off: tuple[int, int] | None) -> list[list[Guess]]:
        """Return the likeliest next tokens by layer; the head `off` (layer, head) adds nothing."""
        kind = list[list[Guess]]
        return self._asked(kind, "guesses", LONGEST, CAUSAL, text=text, count=count, off=off)

    def cosines(self, one: str, other: str, word: str = "") -> list[float]:
        """Return how alike the last tokens of two texts are, by layer.

        With a word, those of its last occurrence in each. Raises InputError where one lacks it.
        """
        texts = {"one": one, "other": other, "word": word}
        found = self._asked(list[float], "cosines", LONGEST, CAUSAL, **texts)
        if not found:
            raise InputError(
                f"one of the texts does not have {word!r}",
                advice="Name a word in both texts, or leave it out to compare their last tokens.",
            )
        return found

    # ── how it is asked ──────────────────────────────────────────────────────────────────────────

    def _load(self) -> None:
        submission = Submission(
            "the model",
            f"from studyattn.lm.worker import {', '.join(_ENTRIES)}\n".encode(),
            self._server.backend,
            _ENTRIES,
            beside=self._beside,
        )
        self._attempt.start_clock(READY)
        self._attempt.send(submission_loader.order(submission, ()).to_frame())
        outcome = next_outcome(self._attempt)
        if outcome is not None:
            raise self._error(outcome, "", READY)

    def _asked(self, kind: type[T], of: str, seconds: float, part: str = "", /, **given: Any) -> T:
        """Call a method of the model in the worker and return its value.

        `part` is the one that is blamed if there is no answer at all. A lone surrogate in a text
        becomes a `?`.
        """
        for name, value in given.items():
            if isinstance(value, str):
                given[name] = value.encode("utf-8", "replace").decode("utf-8")
        question = msgspec.json.encode({"of": of, **given})
        return self._answer(kind, "ask", question, seconds, part)

    def _answer(self, kind: type[T], entry: str, given: bytes, seconds: float, part: str = "") -> T:
        """Call a function in the worker and return its value, unless a part has failed."""
        tensor = ArrayInput(np.frombuffer(given, np.uint8), "uint8")
        plan = CallPlan((Call(entry, (seconds, tensor)),), check_inputs=False)
        self._attempt.start_clock(seconds + GRACE)
        self._attempt.send(codec.encode_program(plan))
        outcome = next_outcome(self._attempt)
        result = outcome.registers.get("result") if isinstance(outcome, Finished) else None
        if not isinstance(result, ArrayOutput):
            raise self._error(outcome, part, seconds)
        try:
            told = msgspec.json.decode(result.values.tobytes())
            if "failure" not in told:
                return msgspec.convert(told["value"], kind)
            failure = msgspec.convert(wire.harmless(told["failure"]), Failure)
        except (msgspec.MsgspecError, KeyError, TypeError) as error:
            raise GradingError(f"the worker of the model gave no answer: {error}") from error
        raise self._part_error(failure)

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
