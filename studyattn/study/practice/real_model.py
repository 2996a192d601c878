"""A real language model on the learner's parts: which one is in use, and what it says of a prompt.

Its weights are kept in the cache directory (`lm.llama.kept`); what computes is a worker
(`running`). Nothing here imports torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from studyattn.errors import InputError
from studyattn.lm.llama.kept import Models, check_installed, model_cache
from studyattn.lm.llama.records import Config, KeptModel
from studyattn.lm.process import ModelServer
from studyattn.study.practice.model_parts import REFERENCE, lent_parts
from studyattn.study.practice.running import RunningModel, Saying, saying

if TYPE_CHECKING:
    from studyattn.home import Home

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
class InUse:
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


def perplexity_of(surprise: float, tokens: int) -> float | None:
    """Return e to the mean of `tokens` numbers −ln p that sum to `surprise`.

    None where that is no finite number, or there are no tokens.
    """
    if tokens == 0 or surprise / tokens > _LARGEST:
        return None
    return math.exp(surprise / tokens)


def perplexity_text(perplexity: float | None, digits: int = 3) -> str:
    """Write a perplexity, with so many digits where it is below 1000."""
    if perplexity is None:
        return "no number"
    return f"{perplexity:.{digits}g}" if perplexity < 1000 else f"{perplexity:,.0f}"


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


def table(server: ModelServer, home: Home) -> Iterator[Saying]:
    """Yield the right attention and each mistake of the table: perplexity and what is written."""
    for name in (REFERENCE, *TABLE):
        with RunningModel(server, home, lent_parts(home, name)) as model:
            *_, said = saying(model, PROMPT, PROMPT_TOKENS, TEXT)
        yield said
