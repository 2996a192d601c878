"""One head of a model in detail, and what the model says when something of it is switched off.

Shapes: `n` tokens, a head of `d` features.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.records import Switched

RIGHT: Final = Switched()
"""A head as it is."""


@dataclass(frozen=True, slots=True)
class OneHead:
    """The tables of a head, `(n, n)`, and its values, `(n, d)`.

    Attributes:
        scores: query times key.
        met: what enters the softmax; minus infinity where the mask hides a key.
        after: the probability of each token of the vocabulary to come next, `(vocabulary,)`.
    """

    scores: Tensor
    met: Tensor
    weights: Tensor
    values: Tensor
    after: Tensor


def one_head(model: Llama, tokens: Tensor, layer: int, head: int, switched: Switched) -> OneHead:
    """Return what a head computes for tokens `(n,)`, and what the model says next.

    What is switched off in the head changes what later layers are given.
    """
    tables: list[Tensor] = []
    n = len(tokens)
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)

    def look(of: int, q: Tensor, k: Tensor, v: Tensor, heads: Tensor) -> Tensor:
        if of != layer:
            return heads
        shared = head // (q.shape[1] // k.shape[1])  # the key head that this one uses
        scores = q[0, head] @ k[0, shared].mT
        met = scores / math.sqrt(q.shape[-1]) if switched.scaled else scores
        met = met.masked_fill(hidden, -math.inf) if switched.masked else met
        weights = met.softmax(-1)
        tables.extend((scores, met, weights, v[0, shared]))
        if switched == RIGHT:
            return heads
        heads = heads.clone()
        heads[0, head] = weights @ v[0, shared] if switched.adds else 0.0
        return heads

    last = model.stream(tokens, look=look)[-1][-1:]
    scores, met, weights, values = tables
    return OneHead(scores, met, weights, values, model.unembed(last)[0].softmax(-1))


def likeliest(before: Tensor, after: Tensor, count: int) -> list[int]:
    """Return the `count` likeliest tokens of each of two distributions, by the first of them."""
    either = {*before.topk(count).indices.tolist(), *after.topk(count).indices.tolist()}
    return sorted(either, key=lambda token: -float(before[token]))


def as_bytes(weights: Tensor) -> bytes:
    """Return weights between 0 and 1, a byte each."""
    return (weights * 255).round().to(torch.uint8).numpy().tobytes()
