"""A model at work on the learner's parts, in a worker that one call stops; several side by side.

Nothing that the worker says is trusted: its answers are read by their declared types, and it is
ended when one takes too long. A part that cannot be used is graded again by its drill: the code is
the learner's and passed once. What the grader finds now, or that it finds nothing, is added to the
error that names the part. Nothing here imports torch. The weights of a real model are kept in the
cache directory (`lm.llama.kept`).
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar

import msgspec
import numpy as np

from studyattn.errors import (
    GradingError,
    InputError,
    ModelPartError,
    NotFoundError,
    StudyattnError,
)
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
from studyattn.grading.run import codec, submission_loader, wire
from studyattn.grading.run.runner import next_outcome
from studyattn.grading.submission import Backend, Submission
from studyattn.lm import questions
from studyattn.lm.llama.kept import Models, check_installed, model_cache
from studyattn.lm.parts import LLAMA
from studyattn.lm.process import ModelServer, StoppedError, beside
from studyattn.lm.questions import Question
from studyattn.lm.records import Failure, KeptModel, ModelOrder, Piece, Put, Sizes, TextScore
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.model_parts import (
    NO_PUTS,
    REFERENCE,
    OwnParts,
    lent_parts,
    mistakes_of_puts,
    with_puts,
)

if TYPE_CHECKING:
    from studyattn.grading.grader import Grader
    from studyattn.home import Home

_AT_ONCE: Final = 2
"""Tokens from one piece of written text to the next."""

_GRACE: Final = 5.0
"""Seconds after these in which a worker says itself which part was too slow."""

_LARGEST: Final = 700.0
"""The largest power of e that is a number."""

TEXT: Final = (
    "The cat sat on the mat and looked out of the window. It was raining, and the street was"
    " empty. A man with a red umbrella walked slowly past the house, and the cat followed him with"
    " its eyes until he was gone."
)
"""The text whose perplexity the table of mistakes gives."""

PROMPT: Final = "The capital of France is"
PROMPT_TOKENS: Final = 8

REPEATING: Final = "The cat sat on the mat. The dog sat on the mat. The cat sat on the"
REPEATING_TOKENS: Final = 24
"""The prompt of a table of what is put into a model, of which n-grams can be drafted."""

HEADS_TEXT: Final = (
    'The quick brown fox (a clever animal) said "hello there" to the lazy dog, and then it ran'
    " away."
)
"""The sentence on which heads are looked at where no other is given."""

TABLE: Final = (
    "scale-missing",
    "scale-by-d",
    "mask-missing",
    "mask-after-softmax",
    "mask-multiplied",
    "mask-excludes-self",
    "softmax-wrong-axis",
)
"""The mistakes of the table, below the right attention."""


class InUse(NamedTuple):
    """The real model in use, and the folder in which it is kept."""

    kept: KeptModel
    folder: Path

    def server(self) -> ModelServer:
        """Return what its workers are started from; a context manager."""
        return ModelServer(self.folder, self.kept.parameters)


def in_use() -> InUse:
    """Return the model in use. Raises NotFoundError for what is not there or not installed."""
    check_installed()
    models = Models(model_cache())
    kept = models.in_use()
    return InUse(kept, models.place(kept))


def perplexity_text(perplexity: float | None, digits: int = 3) -> str:
    """Write a perplexity, with so many digits where it is below 1000."""
    if perplexity is None:
        return "no number"
    return f"{perplexity:.{digits}g}" if perplexity < 1000 else f"{perplexity:,.0f}"


def table(server: ModelServer, home: Home, puts: Mapping[str, Put]) -> Iterator[Saying]:
    """Yield the right parts and each mistake of the table: perplexity and what is written.

    With `puts`, the mistakes are those of the drills that are put in; one with which nothing can be
    written has the error in place of a text. Where they choose tokens, these are drawn.
    """
    server.kind = with_puts(puts)
    names = [each.id for each in mistakes_of_puts(home, puts)] or TABLE
    asked = (REPEATING, REPEATING_TOKENS) if puts else (PROMPT, PROMPT_TOKENS)
    drawn = float(any(put.place in {"drafts", "logits"} for put in puts.values()))
    for name in (REFERENCE, *names):
        wanted = lent_parts(home, name, puts)
        said = Saying("", wanted.wrong, wanted.title, None)
        try:
            with RunningModel(server, home, wanted, puts=puts) as model:
                for now in model.say(*asked, TEXT, cached=bool(puts), temperature=drawn):
                    said = now
        except ModelPartError as error:
            if not puts:
                raise
            said = said._replace(text=str(error), measured={})
        yield said


T = TypeVar("T")


class Saying(NamedTuple):
    """The text of a model so far.

    Attributes:
        label: its name beside others.
        mistake: the id of what is wrong with it; None for a right one.
        title: the mistake as a sentence.
        score: of a text, if that was asked for.
        speed: tokens a second; characters of a GPT.
        surprise: the sum of the tokens' −ln p.
        measured: what was put into it came to.
    """

    label: str
    mistake: str | None
    title: str
    score: TextScore | None
    text: str = ""
    tokens: int = 0
    seconds: float = 0.0
    surprise: float = 0.0
    measured: Mapping[str, float] = MappingProxyType({})

    @property
    def perplexity(self) -> float | None:
        return None if self.score is None else self.score.perplexity

    @property
    def speed(self) -> float:
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def perplexity_of_text(self) -> float | None:
        """That of what it wrote: e to its mean surprise; None where that is no finite number."""
        if self.tokens == 0 or self.surprise / self.tokens > _LARGEST:
            return None
        return math.exp(self.surprise / self.tokens)


class RunningModel:
    """A model in a worker, made of the parts `wanted`.

    A context manager; `stop` may be called from any thread. What it is asked raises ModelPartError
    for a part that cannot be used, GradingError without a worker, InputError for what the model
    cannot answer, and StoppedError after `stop`.
    """

    def __init__(
        self,
        server: ModelServer,
        home: Home,
        wanted: OwnParts,
        *,
        sizes: Sizes | None = None,
        seed: int = 0,
        saved: bytes = b"",
        label: str = "",
        puts: Mapping[str, Put] = NO_PUTS,
    ) -> None:
        """Nothing is started yet. The sizes, the seed and the `saved` weights are those of a GPT.

        `puts` is what is put into a real model, by drill, `label` its name beside others.
        """
        self.kind = server.kind
        self.puts = puts
        self.wanted = wanted
        self.label = label or wanted.wrong or ", ".join(puts) or "right"
        self._server = server
        self._home = home
        self._saved = saved
        self._order = ModelOrder(
            kind=server.kind.name,
            own=tuple(each.entry for each in wanted.right if each.origin in {"yours", "lent"}),
            mistake=None if wanted.mistake is None else wanted.mistake.run,
            folder="" if server.folder is None else str(server.folder),
            sizes=sizes or Sizes(),
            seed=seed,
            puts=tuple(puts.values()),
        )
        self._stopped = threading.Event()
        self._open: contextlib.ExitStack | None = None
        self._grader: Grader | None = None

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
            self._prepare()
            self._open = open_.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End the worker and all that it started."""
        if self._open is not None:
            self._open.close()
        self._open = None

    @property
    def is_started(self) -> bool:
        """True while its worker is there."""
        return self._open is not None

    def stop(self) -> None:
        """End the worker with its server, and what is graded."""
        self._stopped.set()
        self._server.close()
        if self._grader is not None:
            self._grader.stop()

    def say(
        self,
        prompt: str,
        tokens: int,
        scored: str = "",
        *,
        cached: bool = False,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Saying]:
        """Yield what it says: first the perplexity of `scored`, then with each piece it writes."""
        wanted = self.wanted
        score = self.ask(questions.SCORE, text=scored) if scored else None
        now = Saying(self.label, wanted.wrong, wanted.title, score)
        yield now
        own = {part.entry for part in wanted.right if part.origin == "yours"}
        part, seconds = "generate" if "generate" in own else "CachedAttention", questions.ANSWERED
        if self.kind.name == LLAMA.name:
            part = "grouped_query_attention" if cached else "causal_attention"
            seconds = questions.LONGEST
        write = Question("model.write", Piece, seconds, part)
        how = {"temperature": temperature, "seed": seed, "cached": cached}
        self.ask(questions.PROMPT, text=prompt, count=tokens, **how)
        is_over = False
        while now.tokens < tokens and not is_over:
            piece = self.ask(write, count=min(_AT_ONCE, tokens - now.tokens))
            is_over = piece.over
            now = now._replace(
                text=now.text + piece.text,
                tokens=now.tokens + piece.tokens,
                seconds=now.seconds + piece.seconds,
                surprise=now.surprise + piece.surprise,
                measured=piece.measured,
            )
            yield now

    def _prepare(self) -> None:
        """Load the weights that were saved, or else try the learner's parts."""
        if self._saved:
            self.ask(questions.LOAD, saved=self._saved)
            return
        own = {part.entry for part in self.wanted.parts if part.origin == "yours"}
        for name in self.kind.tried:
            if name in own:
                try_part = Question("model.try_part", type(None), questions.TRIED, name)
                self.ask(try_part, name=name)

    def diagnosis(self, part: str) -> str:
        """Return what grading the learner's code of a part finds; nothing if it has none."""
        drill = self.kind.all_drills.get(part)
        package = self.wanted.package
        own = [each for each in package.modules if each.drill == drill and each.passed_on]
        if not own:
            return ""
        from studyattn.grading.grader import Grader  # late: only for what went wrong

        with contextlib.suppress(StudyattnError), Grader() as grader:
            self._grader = grader
            submission = package.submission(own[0].drill)
            folder = find_drill(self._home, own[0].drill).brief.folder
            report = grader.grade(folder, submission, stop=self._stopped)
            if report.passed:
                return "it passes: the problem shows only in the model"
            titles = " ".join(each.title for each in report.diagnosis)
            message = report.message or f"the verdict is {report.verdict}."
            return f"it does not pass: {titles or message}"
        return ""

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
            self._attempt.start_clock(seconds + _GRACE)
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
            told = ""
            if isinstance(error, ModelPartError) and not self._stopped.is_set():
                told = self.diagnosis(error.part)
            if self._stopped.is_set():
                raise StoppedError from error
            if told:
                error.message = f"{error.message.rstrip('.')}. Graded again, {told}"
            raise

    def _load(self) -> None:
        wanted = self.wanted
        pack = None if wanted.mistake is None else wanted.mistake.pack
        submission = Submission(
            "the model",
            b"from studyattn.lm.worker import ask\n",
            self._server.backend,
            ("ask",),
            beside=(*wanted.package.beside(), *beside(pack)),
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


class SideBySide:
    """Models that take turns. `stop` may be called from any thread."""

    def __init__(self, server: ModelServer, models: Iterable[RunningModel]) -> None:
        """Nothing is started yet."""
        self.server = server
        self._models = tuple(models)

    def stop(self) -> None:
        """End the workers with their servers."""
        for model in self._models:
            model.stop()

    def take_turns(
        self,
        work: Callable[[RunningModel], Iterator[T]],
        told: Callable[[tuple[T, ...]], None],
    ) -> tuple[T, ...]:
        """Start all models, have each go on a step at a time, and return what they came to.

        `told` is called with how far all are, after each turn. Raises what a model raises.
        """
        with contextlib.ExitStack() as open_:
            for model in self._models:
                if not model.is_started:  # one that is stays so
                    open_.enter_context(model)
            going_on = {place: work(model) for place, model in enumerate(self._models)}
            found: dict[int, T] = {}
            while going_on:
                for place, each in list(going_on.items()):
                    try:
                        found[place] = next(each)
                    except StopIteration:
                        del going_on[place]
                if going_on:
                    told(tuple(found.values()))
            return tuple(found.values())


def told_measured(found: Mapping[str, float]) -> list[str]:
    """Return what the parts that were put into a model came to, on a line each."""
    told = [f"{name.replace('_', ' ')}: {number:,.0f}" for name, number in found.items()]
    if drafted := found.get("drafted"):
        share, each = found["accepted"] / drafted, found["written"] / found["passes"]
        told.append(f"{share:.0%} of drafts accepted, {each:.2f} tokens a pass")
    return told


def compared(
    model: RunningModel, prompt: str, tokens: int, scored: str = "", *, temperature: float = 0.0
) -> Iterator[Saying]:
    """Yield what a model says beside others.

    A mistake of attention is shown without the cache, as the table shows it.
    """
    cached = model.wanted.mistake is None or bool(model.puts)
    return model.say(prompt, tokens, scored, cached=cached, temperature=temperature)
