"""A tiny language model that is there from the first day: each of its parts is one of the path's.

A part that has not passed is missing, in the plainest way that still gives text: attention takes
the mean, or sees what comes later, or words have no places. The same code runs on arrays of numpy
and of torch (`arrays`), and the weights are trained with it (`benchmarks/first_model.py`).

Shapes: `b` texts, `n` words of each, `h` heads, `width` features.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studyattn.lm.calls import Part, calling, chosen_by
from studyattn.lm.parts import OF_BLOCK
from studyattn.lm.records import WrittenText

Array = Any

WEIGHTS: Final = "weights.npz"
"""The file of the model: its words, its weights, and the held-out texts."""

HEADS: Final = 4
LAYERS: Final = 2
CONTEXT: Final = 48
"""The most words that are looked back at."""

SCORED_AT: Final = CONTEXT // 2
"""The place of the last word that is read in a held-out text; the next one is predicted."""

BATCH: Final = 32
"""Texts that are read at once: few enough for an MLP's numbers to stay in a core's cache."""

BEGIN: Final = "¶"
"""The mark before each story."""

PROMPT: Final = (BEGIN, "Mia", "has", "a", "red", "ball", ".", "Tom", "has")
WRITTEN: Final = 30
"""Words that are written after the prompt."""

TEMPERATURE: Final = 0.5
"""The temperature of the learner's `sample`; without it, probabilities are left as they are."""

SEED: Final = 1

_MARKS: Final = frozenset(".,:?")
_ENDS: Final = frozenset((".", "?", ":", BEGIN))


_MASKED: Final = frozenset(
    ("block", "multi_head_attention", "causal_attention", "masked_attention")
)
"""Parts with which no word looks ahead."""


class FirstModel:
    """A model of the parts that are there, by the names of their functions."""

    def __init__(
        self, arrays: Any, weights: Mapping[str, Array], parts: Mapping[str, Part]
    ) -> None:
        self._arrays = arrays
        self._weights = weights
        self._parts = parts

    def __call__(self, tokens: Array, last: int = CONTEXT - 1, *, only_last: bool = False) -> Array:
        """Return the logits after each word: `(b, n)` to `(b, n, words)`.

        The place `last` is that of the last word; those after it are empty, and hold marks. With
        `only_last` its logits alone are returned, `(b, 1, words)`: once the last layer's attention
        has looked at the other words, nothing is computed for them.
        """
        self._last = last
        self._kept = slice(last, last + 1) if only_last else slice(None)
        if self._parts.keys() & _MASKED:  # what is not looked at need not be computed
            tokens = tokens[:, : last + 1]
        w, embed = self._weights, self._parts.get("embed")
        x = embed(tokens, w["words"], w["places"], 0) if embed else w["words"][tokens]
        for layer in range(LAYERS):
            x = self._block(x, layer, self._kept if layer == LAYERS - 1 else slice(None))
        return self._norm(x, w["gain"], w["bias"]) @ w["next"]

    def _block(self, x: Array, layer: int, kept: slice) -> Array:
        """Add attention to the stream, then the MLP: `(b, n, width)`, of the places `kept`."""
        w = [self._weights[f"{layer}.{name}"] for name in OF_BLOCK]
        if block := self._parts.get("block"):
            return block(x, *w, HEADS, self._mask(x.shape[-2]))[:, kept]
        gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, *of_mlp = w
        x = x + self._attention(self._norm(x, gain_1, bias_1), w_q, w_k, w_v, w_o)
        x = x[:, kept]
        mlp = self._parts.get("gelu_mlp")
        return x + mlp(self._norm(x, gain_2, bias_2), *of_mlp) if mlp else x

    def _norm(self, x: Array, gain: Array, bias: Array) -> Array:
        norm = self._parts.get("layer_norm")
        return norm(x, gain, bias) if norm else x

    def _attention(self, x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array) -> Array:
        """Return what attention adds; words are their own queries, keys and values at first."""
        parts = self._parts
        if whole := parts.get("multi_head_attention"):
            return whole(x, w_q, w_k, w_v, w_o, HEADS, self._mask(x.shape[-2]))
        project, split = parts.get("project_qkv"), parts.get("split_heads")
        q, k, v = project(x, w_q, w_k, w_v) if project else (x, x, x)
        heads = (split(each, HEADS) for each in (q, k, v)) if split else (q, k, v)
        mixed = self._mixed(*heads)  # (b, h, n, width / h), or (b, n, width)
        if updates := parts.get("head_updates"):
            return updates(mixed if split else mixed[..., None, :, :], w_o).sum(-3)
        return parts["merge_heads"](mixed) if split else mixed

    def _mixed(self, q: Array, k: Array, v: Array) -> Array:
        """Mix the values `(..., n, d)` by the largest part of attention that is there."""
        parts = self._parts
        if causal := parts.get("causal_attention"):
            return causal(q, k, v)
        if masked := parts.get("masked_attention"):
            return masked(q, k, v, self._mask(q.shape[-2]))
        if attention := parts.get("attention"):
            return attention(q, k, v)
        # Only the last word looks at the others.
        at, last = self._last, self._arrays.zeros_like(v[..., :1])
        last[..., at, :] = 1.0
        flat = (each.reshape(-1, *each.shape[-2:]) for each in (q, k, v))
        rows = [self._one(each[at], *rest) for each, *rest in zip(*flat, strict=True)]
        return last * self._arrays.stack(rows).reshape(*v.shape[:-2], 1, v.shape[-1])

    def _one(self, q: Array, k: Array, v: Array) -> Array:
        """Return what one query `(d,)` takes from the values `(n, d)`."""
        parts = self._parts
        if attend := parts.get("attend"):
            return attend(q, k, v)
        if (dot := parts.get("dot_product")) is None:
            return v.mean(0)
        scores, softmax, add = dot(q, k), parts.get("softmax"), parts.get("weighted_sum")  # (n,)
        weights = softmax(scores) if softmax else scores / len(scores)
        return add(weights, v) if add else (weights[:, None] * v).sum(0)

    def _mask(self, n: int) -> Array:
        """Return the places that each of `n` words may look at: itself and those before it."""
        return self._arrays.tril(self._arrays.ones((n, n))) > 0


class First:
    """The first model as its worker holds it: its words and weights, and the learner's parts."""

    def __init__(self, folder: Path, own: Mapping[str, Part]) -> None:
        """Read the weights in `folder`; they become arrays of torch where the parts are in it."""
        arrays = sys.modules.get("torch")
        parts = {name: partial(calling, name, part) for name, part in own.items()}
        with np.load(folder / WEIGHTS) as kept:
            read = {name: kept[name] for name in kept.files}
        self._words = [str(word) for word in read.pop("names")]
        made = arrays.from_numpy if arrays else np.asarray
        self._scored = made(read.pop("scored").astype(np.int64))  # (texts, CONTEXT + 1)
        weights = {name: made(each.astype(np.float32)) for name, each in read.items()}
        self._arrays, self._made, self._parts = arrays or np, made, parts
        self._model = FirstModel(self._arrays, weights, parts)

    def tell(self) -> WrittenText:
        """Write on after the prompt, and measure the loss of a word of each held-out text."""
        began = time.perf_counter()
        text, loss = self._write(), self._loss()
        finite = loss if np.isfinite(loss) else None
        prompt = readable(PROMPT[1:], begins=True)
        return WrittenText((), prompt, text, finite, time.perf_counter() - began)

    def _write(self) -> str:
        tokens = [self._words.index(word) for word in PROMPT]
        choose = self._parts.get("sample")
        empty = [self._words.index(BEGIN)] * CONTEXT
        for uniform in np.random.default_rng(SEED).random(WRITTEN):
            given = self._made(np.array([[*tokens, *empty][:CONTEXT]]))
            logits = self._model(given, len(tokens) - 1, only_last=True)[0, 0]
            if choose:
                tokens.append(chosen_by(choose, logits, float(uniform), TEMPERATURE))
            else:
                tokens.append(int((_shares(logits).cumsum() > uniform).argmax()))
        return readable(self._words[token] for token in tokens[len(PROMPT) :])

    def _loss(self) -> float:
        given = np.array(self._scored)[:, :CONTEXT]
        given[:, SCORED_AT + 1 :] = self._words.index(BEGIN)
        pieces = (self._made(given[at : at + BATCH]) for at in range(0, len(given), BATCH))
        logits = [self._model(each, SCORED_AT, only_last=True)[:, [0, 0]] for each in pieces]
        logits = self._arrays.concatenate(logits)
        tokens = self._scored[:, SCORED_AT : SCORED_AT + 2]  # the second logits predict nothing
        if loss := self._parts.get("next_token_loss"):
            return float(loss(logits, tokens))
        shares = _shares(logits[:, 0])
        return float(-np.log(shares[np.arange(len(shares)), np.asarray(tokens[:, 1])]).mean())


def _shares(logits: Array) -> NDArray[np.float64]:
    """Return the probability of each word, as the program does without the learner's softmax."""
    given = np.asarray(logits, np.float64)
    powers = np.exp(given - given.max(-1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return shares


def readable(words: Iterable[str], *, begins: bool = False) -> str:
    """Return words as a text: `has a ball. The dog runs. · Tom …`, stories parted by `·`."""
    text = ""
    for word in words:
        mark = word in _MARKS
        text += ("" if mark or not text else " ") + (word.capitalize() if begins else word)
        begins = word in _ENDS
    return text.replace(BEGIN, "·")
