"""Records of models, and the messages to and from their workers: plain values, as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

MODEL: Final = "model.json"
TOKENIZER: Final = "tokenizer.json"
WEIGHTS: Final = "weights.f32"
"""The files of a kept model: what is known of it, its tokenizer, all weights one after another."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a model, and the sequences of a training step.

    Attributes:
        width: features of the stream.
        context: the most characters that are looked back at.
        batch: sequences of a training step.
    """

    width: int = 96
    heads: int = 4
    layers: int = 3
    context: int = 64
    batch: int = 24


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
        base: of the speeds of rotary positions. Their pairs are neighbours: rows are reordered
            where a checkpoint pairs the halves of a head, by who makes a Llama's GGUF file, and
            here for a Qwen's.
        epsilon: added to the mean square in the norms.
        biased: True if queries, keys and values have biases, as in Qwen2.
        normed: True if the queries and keys of each head are normalized, as in Qwen3.
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
    biased: bool = False
    normed: bool = False


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight in the file of all."""

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
        weights: by name, in the order in which their numbers follow one another.
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
    weights: dict[str, Weight] = field(repr=False)


class MistakeName(NamedTuple):
    """A misconception of a pack: the module that declares it, its id, and which of its ways.

    `part` is one whose place it takes. `reference` is the module of the pack's own reference, where
    the mistake is one of a drill that is put into the model.
    """

    module: str
    id: str
    way: int
    part: str
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Put:
    """The code of a drill at a place of a real model that does without it (`llama.places`).

    `entries` are the drill's, `given` the numbers that were asked for, `gpt` a checkpoint of what
    drafts, if that was trained here.
    """

    place: str
    entries: tuple[str, ...]
    given: dict[str, float] = field(default_factory=dict)
    gpt: bytes = field(default=b"", repr=False)


class Patched(NamedTuple):
    """The probabilities of two next tokens: in two runs, and patched before each layer."""

    answers: list[str]
    clean: list[float]
    corrupted: list[float]
    layers: list[list[float]]
    moved: str
    """The token at which the prompts differ and that is patched, in the clean one."""


class ModelOrder(NamedTuple):
    """A model to assemble.

    Attributes:
        kind: the name of one of the kinds in `parts`.
        own: the parts to import from the learner's package `mine`.
        mistake: what is wrong with it; the parts that make it are the reference's.
        folder: where a model that is not trained here is kept.
        seed: of a GPT's weights, batches and samples.
        puts: what is put into a real model beside its parts.
    """

    kind: str
    own: tuple[str, ...]
    mistake: MistakeName | None
    folder: str = ""
    sizes: Sizes = Sizes()
    seed: int = 0
    puts: tuple[Put, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """Text that a model wrote after so many steps."""

    step: int
    text: str


class TrainingProgress(NamedTuple):
    """The state of a training, and what is new since the last progress.

    Losses are means in nats per character; None where they are no finite number.

    Attributes:
        loss: of the last training step.
        curve: steps and the losses after them on text that it is not trained on.
    """

    step: int
    loss: float | None
    tokens_per_second: float
    curve: tuple[tuple[int, float | None], ...]
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class CacheCheck:
    """The comparison of the cached attention with the plain one.

    `difference` is the largest one of a logit; None where it is no finite number.
    """

    same: bool
    difference: float | None


class Failure(NamedTuple):
    """A part that cannot be used: what is wrong, and where that is known, its file and line."""

    part: str
    message: str
    line: str = ""


class Piece(NamedTuple):
    """The next text that a model wrote.

    Attributes:
        tokens: how many were made for it; characters of a GPT.
        seconds: that they took.
        over: True if the model has nothing more to say.
        surprise: the sum of their −ln p, p as a real model gave it at the temperature 1.
        measured: what the parts that were put into a real model came to.
    """

    text: str
    tokens: int
    seconds: float
    over: bool
    surprise: float
    measured: dict[str, float]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """The text of the first model, and its mean loss on text that it was not trained on.

    Attributes:
        parts: the drills whose code it has.
        loss: in nats per word; None where it is no finite number.
        seconds: that were taken for both.
    """

    parts: tuple[str, ...]
    prompt: str
    text: str
    loss: float | None
    seconds: float


class TextScore(NamedTuple):
    """The loss of a model on a text.

    `perplexity` is e to the mean cross-entropy of all tokens but the first; None where that is no
    finite number.
    """

    perplexity: float | None
    tokens: int
    seconds: float
    measured: dict[str, float]


class HeadWeights(NamedTuple):
    """A head, its kind, and its mean weight on the keys of each kind (`heads`)."""

    layer: int
    head: int
    kind: str
    weights: dict[str, float]


class Guess(NamedTuple):
    """A next token as text, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Patterns:
    """The attention of all heads of a model in a short text.

    Attributes:
        pieces: the tokens that were looked at, `n` of them.
        tokens: how many the text has; more than `n` if it is longer than what is looked at.
        heads: all heads, layer by layer.
        weights: of each of these heads, row by row: a byte a weight, 255 for 1; `(heads, n, n)`.
    """

    pieces: list[str]
    tokens: int
    heads: list[HeadWeights]
    weights: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Switched:
    """The switches of a head: its causal mask, its scale, and what it adds to the stream."""

    masked: bool = True
    scaled: bool = True
    adds: bool = True


class Share(NamedTuple):
    """A next token, its probability, and that with something of a head switched off."""

    text: str
    before: float
    after: float


class HeadTables(NamedTuple):
    """The tables that one head computes for `n` tokens, with what was switched off in it.

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
