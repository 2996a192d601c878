"""What is known of a model of the Llama kind, and what goes to its worker and comes back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from studyattn.lm.records import Mistake

MODEL: Final = "model.json"
TOKENIZER: Final = "tokenizer.json"
WEIGHTS: Final = "weights.f32"
"""The files of a kept model: what is known of it, its tokenizer, all weights one after another."""


@dataclass(frozen=True, slots=True)
class Config:
    """The sizes of a model, as its file gives them.

    Attributes:
        width: features of the stream.
        heads: query heads, of `head_width` features each.
        key_heads: key and value heads; a divisor of `heads`.
        hidden: features between the matrices of the feed-forward layer.
        tokens: in the vocabulary.
        context: the most tokens that it was trained to look back at.
        base: of the speeds of rotary positions. Their pairs are neighbours: who makes the GGUF
            file of a checkpoint that pairs the halves of a head reorders its rows.
        epsilon: added to the mean square in the norms.
    """

    layers: int
    width: int
    heads: int
    key_heads: int
    head_width: int
    hidden: int
    tokens: int
    context: int
    base: float
    epsilon: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where a weight lies in the file of all: its first number, counted from 0, and its shape."""

    first: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """Return the number after its last one."""
        return self.first + math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model that is kept in the cache directory.

    Attributes:
        name: by which it is asked for, and the name of its folder.
        title: as its file calls it.
        license: as its file names it; empty if it names none.
        source: the file or the package that it came from.
        digest: SHA-256 of its file, in hexadecimal digits.
        begin: the token before a text, for a model that was trained with one.
        ends: the tokens after which a text is over.
    """

    name: str
    title: str
    license: str
    source: str
    digest: str
    config: Config
    parameters: int
    begin: int | None
    ends: tuple[int, ...]
    weights: dict[str, Place] = field(repr=False)

    @property
    def length(self) -> int:
        """Return how many numbers the file of its weights has."""
        return max((place.stop for place in self.weights.values()), default=0)


@dataclass(frozen=True, slots=True)
class LlamaOrder:
    """A model to assemble.

    Attributes:
        folder: where the model is kept.
        own: the parts to import from the learner's package `mine`.
        mistake: what is wrong with its attention, which is then the reference's.
        threads: of torch.
    """

    folder: str
    own: tuple[str, ...]
    mistake: Mistake | None
    threads: int


@dataclass(frozen=True, slots=True)
class Piece:
    """The next text that a model wrote.

    Attributes:
        tokens: how many were made for it.
        surprise: the sum of their −ln p, p as the model gave it at the temperature 1.
        seconds: that they took.
        over: True if the model has nothing more to say.
    """

    text: str
    tokens: int
    surprise: float
    seconds: float
    over: bool


@dataclass(frozen=True, slots=True)
class Score:
    """How well a model expects a text.

    `perplexity` is e to the mean cross-entropy of all tokens but the first; None where that is no
    finite number.
    """

    perplexity: float | None
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Head:
    """A head, its kind, and its mean weight on the keys of each kind (`heads`)."""

    layer: int
    head: int
    kind: str
    weights: dict[str, float]


@dataclass(frozen=True, slots=True)
class Guess:
    """A next token and its probability."""

    token: int
    probability: float


@dataclass(frozen=True, slots=True)
class Heads:
    """All heads of a model, on a text of these tokens."""

    pieces: list[str]
    heads: list[Head]


@dataclass(frozen=True, slots=True)
class NamedGuess:
    """A next token as text, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Guesses:
    """The likeliest next tokens by layer, from the embedding up."""

    layers: list[list[NamedGuess]]


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines by layer, from the embedding up."""

    layers: list[float]


@dataclass(frozen=True, slots=True)
class Patterns:
    """What all heads of a model attend to in a short text.

    Attributes:
        pieces: the tokens that were looked at, `n` of them.
        tokens: how many the text has; more than `n` if it is longer than what is looked at.
        heads: all heads, layer by layer.
        weights: of each of these heads, row by row: a byte a weight, 255 for 1; `(heads, n, n)`.
    """

    pieces: list[str]
    tokens: int
    heads: list[Head]
    weights: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Switched:
    """What of a head is switched on: its causal mask, its scale, and what it adds to the stream."""

    masked: bool = True
    scaled: bool = True
    adds: bool = True


@dataclass(frozen=True, slots=True)
class Share:
    """A next token, its probability, and that with something of a head switched off."""

    text: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class HeadTables:
    """What one head computes for `n` tokens, with what was switched off in it.

    Attributes:
        pieces: the tokens.
        scores: query times key, `(n, n)`.
        met: what enters the softmax, scaled and masked; None where the mask hides a key.
        weights: `(n, n)`, each row sums to 1.
        values: `(n, d)`.
        shares: the likeliest next tokens, before and after it was switched.
    """

    pieces: list[str]
    scores: list[list[float]]
    met: list[list[float | None]]
    weights: list[list[float]]
    values: list[list[float]]
    shares: list[Share]
