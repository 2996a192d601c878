"""The attention of a model's heads, all and one in detail, and the model's guesses by layer.

A head's kind is found by its mean weight on certain keys: the previous token, the first one, the
open bracket or quote (on the given text), an earlier token that is the same, and the one after that
(on random tokens repeated twice, as Olsson et al. 2022 measure induction).

Shapes: `n` tokens, `h` heads; a pattern is `(h, n, n)`, its rows sum to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from studyattn.lm.llama.forward import Llama, Looked
from studyattn.lm.records import HeadWeights, Switched

PREVIOUS, FIRST, BRACKET, SAME, INDUCTION = "previous", "first", "bracket", "same", "induction"
NONE: Final = "none"

KINDS: Final = (INDUCTION, SAME, PREVIOUS, BRACKET, FIRST)

NAMED: Final = 0.4
"""The mean weight from which on a head is of a kind."""

_REPEATED: Final = 24
"""Random tokens that are repeated."""

_OPENED: Final = {"(": ")", "[": "]", "{": "}", "“": "”"}
_QUOTES: Final = frozenset("\"'")

RIGHT: Final = Switched()
"""A head as it is."""


def patterns(model: Llama, tokens: Tensor) -> list[Tensor]:
    """Return the weights of all heads of each layer for tokens `(n,)`: `(h, n, n)` each."""
    found: list[Tensor] = []

    def look(_layer: int, q: Tensor, k: Tensor, _v: Tensor, heads: Tensor) -> Tensor:
        k = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)
        found.append(_attending(q[0], k[0], RIGHT)[-1])
        return heads

    model.streams(tokens, Looked(look))
    return found


def _attending(q: Tensor, k: Tensor, switched: Switched) -> tuple[Tensor, Tensor, Tensor]:
    """Return query times key, what enters the softmax, and the weights: `(…, n, n)` each."""
    scores = q @ k.mT
    met = scores / math.sqrt(q.shape[-1]) if switched.scaled else scores
    if switched.masked:
        met = met.masked_fill(torch.ones(met.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    return scores, met, met.softmax(-1)


def measured(model: Llama, on_text: list[Tensor], pieces: list[str]) -> list[HeadWeights]:
    """Return every head with its mean weights and its kind.

    `on_text` are the `patterns` of a text, and `pieces` its tokens as text.
    """
    generator = torch.Generator().manual_seed(0)
    some = torch.randint(model.sizes.tokens, (_REPEATED,), generator=generator)
    twice = torch.cat((some, some))
    later = torch.arange(_REPEATED + 1, 2 * _REPEATED)
    onto = torch.tensor(open_brackets(pieces))  # (n,), -1 where none is open
    inside = torch.nonzero(onto >= 0)[:, 0]
    found = []
    for layer, (typed, random) in enumerate(zip(on_text, patterns(model, twice), strict=True)):
        means: dict[str, Tensor] = {  # (h,) each
            PREVIOUS: typed.diagonal(-1, -2, -1).mean(-1),
            FIRST: typed[:, 2:, 0].mean(-1),
            BRACKET: typed[:, inside, onto[inside]].mean(-1),
            SAME: random[:, later, later - _REPEATED].mean(-1),
            INDUCTION: random[:, later, later - _REPEATED + 1].mean(-1),
        }
        for head in range(model.sizes.heads):
            weights = {name: float(mean[head]) for name, mean in means.items()}
            weights = {name: w for name, w in weights.items() if math.isfinite(w)}
            found.append(HeadWeights(layer, head, kind_of(weights), weights))
    return found


def kind_of(weights: Mapping[str, float]) -> str:
    """Return the first kind whose mean weight is large enough.

    The first token comes last: heads of all kinds rest on it where they find nothing.
    """
    return next((kind for kind in KINDS if weights.get(kind, 0.0) >= NAMED), NONE)


def open_brackets(pieces: list[str]) -> list[int]:
    """Return for each token the last bracket or quote before it that is still open; -1 for none."""
    waiting: list[tuple[str, int]] = []
    found = []
    for place, piece in enumerate(pieces):
        found.append(waiting[-1][1] if waiting else -1)
        for character in piece:
            if waiting and character == waiting[-1][0]:
                waiting.pop()
            elif character in _OPENED:
                waiting.append((_OPENED[character], place))
            elif character in _QUOTES and piece.strip() == character:
                waiting.append((character, place))  # one inside of a word is an apostrophe
    return found


def guesses(
    model: Llama, tokens: Tensor, count: int, off: tuple[int, int] | None
) -> list[list[tuple[int, float]]]:
    """Return the likeliest next tokens and their probabilities by layer, from the embedding up.

    A stream is unembedded as if the model ended there. The head `off`, as layer and head, adds
    nothing.
    """

    def look(layer: int, _q: Tensor, _k: Tensor, _v: Tensor, heads: Tensor) -> Tensor:
        if off is None or off[0] != layer:
            return heads
        heads = heads.clone()
        heads[:, off[1]] = 0.0
        return heads

    found = []
    for stream in model.streams(tokens, Looked(look)):
        shares = model.scored(stream[-1:])[0].softmax(-1)  # (vocabulary,)
        best = zip(*shares.topk(count), strict=True)
        found.append([(int(token), float(share)) for share, token in best])
    return found


def cosines(model: Llama, one: Tensor, other: Tensor) -> list[float]:
    """Return the cosine of the last tokens of two texts, from the embedding up, layer by layer."""
    pairs = zip(model.streams(one), model.streams(other), strict=True)
    return [float(torch.cosine_similarity(a[-1], b[-1], dim=0)) for a, b in pairs]


# ── one head ─────────────────────────────────────────────────────────────────────────────────────


def one_head(
    model: Llama, tokens: Tensor, layer: int, head: int, switched: Switched
) -> tuple[list[Tensor], Tensor]:
    """Return what a head computes for tokens `(n,)`, and the shares of all tokens to come next.

    The first are query times key, what enters the softmax, the weights, `(n, n)` each, and the
    values `(n, d)`. What is switched off in the head changes what later layers are given.
    """
    tables: list[Tensor] = []

    def look(of: int, q: Tensor, k: Tensor, v: Tensor, heads: Tensor) -> Tensor:
        if of != layer:
            return heads
        shared = head // (q.shape[1] // k.shape[1])  # the key head that this one uses
        scores, met, weights = _attending(q[0, head], k[0, shared], switched)
        tables.extend((scores, met, weights, v[0, shared]))
        if switched == RIGHT:
            return heads
        heads = heads.clone()
        heads[0, head] = weights @ v[0, shared] if switched.adds else 0.0
        return heads

    last = model.streams(tokens, Looked(look))[-1][-1:]
    return tables, model.scored(last)[0].softmax(-1)


def likeliest(before: Tensor, after: Tensor, count: int) -> list[int]:
    """Return the `count` likeliest tokens of each of two distributions, by the first of them."""
    either = {*before.topk(count).indices.tolist(), *after.topk(count).indices.tolist()}
    return sorted(either, key=lambda token: -float(before[token]))


def as_bytes(weights: Tensor) -> bytes:
    """Return weights between 0 and 1, a byte each."""
    return (weights * 255).round().to(torch.uint8).numpy().tobytes()
