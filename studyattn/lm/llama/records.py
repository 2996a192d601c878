"""What is known of a model of the Llama kind, and what goes to its worker and comes back."""

from __future__ import annotations

from dataclasses import dataclass, field

from studyattn.lm.records import Mistake


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
        base: of the speeds of rotary positions, whose pairs are neighbours.
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
        seconds: that they took.
        over: True if the model has nothing more to say.
    """

    text: str
    tokens: int
    seconds: float
    over: bool


@dataclass(frozen=True, slots=True)
class Score:
    """How well a model expects a text.

    `perplexity` is e to the mean cross-entropy of all tokens but the first; None where that is no
    finite number. `likeliest` tells of each of these tokens whether the model expected it most.
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
