"""A real language model on the learner's parts: written with, and scored.

Its weights are kept in the cache directory (`lm.llama.kept`); what computes is a worker
(`lm.llama.process`). Nothing here imports torch.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar

from studyattn.errors import GradingError, InputError, ModelPartError
from studyattn.lm.asking import StoppedError
from studyattn.lm.llama.kept import Models
from studyattn.lm.llama.parts import DRILLS
from studyattn.lm.llama.process import LlamaProcess, llama_server
from studyattn.lm.llama.records import Config, KeptModel, LlamaOrder, Piece, Score
from studyattn.study.practice.gpt import ModelPart, OwnParts, own_parts
from studyattn.study.practice.mine import lent_package
from studyattn.study.practice.model_mistakes import OF_LLAMA, ModelMistake, find_mistake
from studyattn.study.practice.part_grading import PartGrader

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner
    from studyattn.home import Home
    from studyattn.study.profile import Profile

T = TypeVar("T")

MINE: Final = "mine"
REFERENCE: Final = "reference"

TOKENS: Final = 60
"""Tokens that are written where nothing else is asked for."""

_LARGEST: Final = 700.0
"""The largest power of e that is a number."""

_SCORED: Final = 2
"""Tokens of the shortest text that has a perplexity."""

_AT_ONCE: Final = 2
"""Tokens from one piece of written text to the next."""

TEXT: Final = (
    "The cat sat on the mat and looked out of the window. It was raining, and the street was"
    " empty. A man with a red umbrella walked slowly past the house, and the cat followed him with"
    " its eyes until he was gone."
)
"""The text whose perplexity the table of mistakes gives."""

PROMPT: Final = "The capital of France is"
PROMPT_TOKENS: Final = 8

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


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parts to run: the learner's, the reference's, or the reference's with a mistake."""

    own: OwnParts
    mistake: ModelMistake | None = None

    @property
    def parts(self) -> tuple[ModelPart, ...]:
        return self.own.with_mistake(self.mistake)

    @property
    def title(self) -> str:
        """The mistake as a sentence, or nothing."""
        return "" if self.mistake is None else self.mistake.title


def wanted_parts(profile: Profile, name: str) -> Wanted:
    """Return the parts that are asked for: `mine`, `reference` or the id of a misconception.

    Raises NotFoundError if no model can make that mistake.
    """
    if name == MINE:
        return Wanted(own_parts(profile, DRILLS, (), {}))
    return lent_parts(profile.home, name)


def lent_parts(home: Home, name: str = REFERENCE) -> Wanted:
    """Return the parts of the reference, with a mistake if `name` is the id of one."""
    parts = tuple(ModelPart(entry, drill, "lent") for entry, drill in DRILLS.items())
    own = OwnParts(lent_package(home, DRILLS.values()), parts)
    return Wanted(own, None if name == REFERENCE else find_mistake(home, name, OF_LLAMA))


class RunningModel:
    """A model in its worker. A context manager."""

    def __init__(
        self, server: Runner, home: Home, folder: Path, wanted: Wanted, *, threads: int = 1
    ) -> None:
        """Nothing is started yet. `folder` is where the model is kept."""
        self._server = server
        self._home = home
        self._folder = folder
        self._wanted = wanted
        self._threads = threads
        self._grader = PartGrader(home, wanted.own.package, DRILLS)
        self._stopped = threading.Event()
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start the worker and try the learner's parts.

        Raises ModelPartError for one that cannot be used, GradingError without a worker, and
        StoppedError after `stop`.
        """
        wanted, mistake = self._wanted, self._wanted.mistake
        order = LlamaOrder(
            str(self._folder),
            own=tuple(DRILLS),
            mistake=None if mistake is None else mistake.run,
            threads=self._threads,
        )
        pack = Path() if mistake is None else mistake.pack
        files = wanted.own.package.files().items()
        with contextlib.ExitStack() as open_, self._asking():
            process = open_.enter_context(LlamaProcess(self._server, order, files, pack))
            self.process = process
            process.try_parts(part.entry for part in wanted.parts if part.origin == "yours")
            self._open = open_.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def stop(self) -> None:
        """End the worker with its server, and what is graded, from any thread."""
        self._stopped.set()
        self._grader.stop()
        self._server.close()

    def asked(self, question: Callable[[LlamaProcess], T]) -> T:
        """Return what `question` returns for the worker. Raises what `say` does."""
        with self._asking():
            return question(self.process)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Add a diagnosis to the error of a part; a worker that was stopped has no error."""
        try:
            with self._grader.diagnosing():
                yield
        except (GradingError, ModelPartError) as error:
            if self._stopped.is_set():
                raise StoppedError from error
            raise

    def say(
        self, prompt: str, *, tokens: int, cached: bool, temperature: float = 0.0, seed: int = 0
    ) -> Iterator[Piece]:
        """Yield pieces of what the model writes after a prompt.

        Raises what entering does.
        """
        with self._asking():
            self.process.prompt(prompt, cached=cached, temperature=temperature, seed=seed)
        left = tokens
        while left > 0:
            with self._asking():
                piece = self.process.write(min(_AT_ONCE, left))
            left -= piece.tokens
            yield piece
            if piece.over:
                return

    def score(self, text: str) -> Score:
        """Return how well the model expects a text.

        Raises what `say` does, and InputError for a text of less than two tokens.
        """
        found = self.asked(lambda process: process.score(text))
        if found.tokens < _SCORED:
            raise InputError(
                "this text is too short: its first token is not scored",
                advice="Use a text of several words.",
            )
        return found


def perplexity_of(surprise: float, tokens: int) -> float | None:
    """Return e to the mean of `tokens` numbers −ln p that sum to `surprise`.

    None where that is no finite number, or there are no tokens.
    """
    if tokens == 0 or surprise / tokens > _LARGEST:
        return None
    return math.exp(surprise / tokens)


def read_head(given: str, config: Config) -> tuple[int, int]:
    """Return layer and head of a text such as `18.6`. Raises InputError if there is none."""
    layer, _, head = given.partition(".")
    if layer.isdecimal() and head.isdecimal():
        found = int(layer), int(head)
        if found[0] < config.layers and found[1] < config.heads:
            return found
    raise InputError(
        f"there is no head {given!r}",
        advice=f"Give the layer, 0 to {config.layers - 1}, a dot, and the head, 0 to"
        f" {config.heads - 1}.",
    )


def server_of(models: Models, model: KeptModel) -> Runner:
    """Return what workers of a model are started from; a context manager."""
    return llama_server(models.place(model), model.parameters)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table of mistakes. `mistake` is None for the right attention."""

    mistake: str | None
    title: str
    perplexity: float | None
    text: str


def table(server: Runner, folder: Path, home: Home) -> Iterator[Row]:
    """Yield the right attention and each mistake of the table: perplexity and what is written."""
    for name in (REFERENCE, *TABLE):
        wanted = lent_parts(home, name)
        with RunningModel(server, home, folder, wanted) as model:
            score = model.score(TEXT)
            pieces = model.say(PROMPT, tokens=PROMPT_TOKENS, cached=False)
            text = "".join(piece.text for piece in pieces)
        mistake = None if wanted.mistake is None else wanted.mistake.id
        yield Row(mistake, wanted.title, score.perplexity, text)
