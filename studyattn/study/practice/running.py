"""A model at work on the learner's parts, in a worker that one call stops; several side by side.

A part that cannot be used is graded again by its drill: the code is the learner's and passed once.
What the grader finds now, or that it finds nothing, is added to the error that names the part.
What computes is a worker (`lm.process`); nothing here imports torch. The weights of a real model
are kept in the cache directory (`lm.llama.kept`).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from studyattn.errors import ModelPartError, StudyattnError
from studyattn.grading.submission import Backend, Submission, own_package
from studyattn.lm import questions
from studyattn.lm.llama.kept import Models, check_installed, model_cache
from studyattn.lm.llama.records import KeptModel
from studyattn.lm.parts import LLAMA
from studyattn.lm.process import ModelProcess, ModelServer
from studyattn.lm.questions import Question
from studyattn.lm.records import ModelOrder, Piece, Put, Sizes, TextScore
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
            said = said._replace(text=str(error))
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


class RunningModel(ModelProcess):
    """A model in its worker, made of the parts `wanted`."""

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
        self.puts = puts
        mistake = wanted.mistake
        order = ModelOrder(
            kind=server.kind.name,
            own=tuple(each.entry for each in wanted.right if each.origin in {"yours", "lent"}),
            mistake=None if mistake is None else mistake.run,
            folder="" if server.folder is None else str(server.folder),
            sizes=sizes or Sizes(),
            seed=seed,
            puts=tuple(self.puts.values()),
        )
        pack = Path() if mistake is None else mistake.pack
        super().__init__(server, order, wanted.package.files().items(), pack)
        self.wanted = wanted
        self._home = home
        self.label = label or wanted.wrong or ", ".join(puts) or "right"
        self._saved = saved
        self._grader: Grader | None = None

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
            )
            yield now
        yield now._replace(measured=self.measured())

    def measured(self) -> dict[str, float]:
        """Return what the parts that were put in came to; nothing where there are none."""
        return self.ask(questions.MEASURED) if self.puts else {}

    def stop(self) -> None:
        """End the worker with its server, and what is graded."""
        super().stop()
        if self._grader is not None:
            self._grader.stop()

    def prepare(self) -> None:
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
            brief = find_drill(self._home, own[0].drill).brief
            submission = Submission(
                f"{drill}.py",
                own[0].code.encode(),
                Backend(package.backend),
                brief.entry,
                beside=tuple(own_package(package.files().items())),
            )
            report = grader.grade(brief.folder, submission, stop=self._stopped)
            if report.passed:
                return "it passes: the problem shows only in the model"
            titles = " ".join(each.title for each in report.diagnosis)
            message = report.message or f"the verdict is {report.verdict}."
            return f"it does not pass: {titles or message}"
        return ""


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
