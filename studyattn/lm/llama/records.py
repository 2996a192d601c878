"""The facts about a kept model of the Llama kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

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
