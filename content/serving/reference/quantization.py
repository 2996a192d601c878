"""Numbers as small whole numbers with scales: weights in groups, a cache per token."""

import math
from dataclasses import dataclass

import numpy as np

from ..shared import softmax


def levels(bits):
    """The largest whole number of so many bits with a sign, as far below 0 as above."""
    return 2 ** (bits - 1) - 1


def peak(groups):
    """The largest absolute value of each group, over its second-last axis."""
    return np.abs(groups).max(axis=-2)


def step(peak, levels):
    """The scale: what one whole number stands for."""
    return peak / levels


def whole(ratio):
    """The nearest whole number."""
    return np.rint(ratio)


def cut(rows, group):
    """`(d_in, d_out)` to `(d_in / group, group, d_out)`: neighbors are in one group."""
    return rows.reshape(-1, group, rows.shape[-1])


def products(x, q, group):
    """Return what each group adds before its scale: `(..., d_in / group, d_out)`."""
    parts = x.reshape(*x.shape[:-1], -1, group)
    return np.einsum("...gi,gio->...go", parts, q.reshape(-1, group, q.shape[-1]))


def rescale(products, scales):
    """Give each group's sum its scale."""
    return products * scales


def quotient(numbers, scale):
    """`numbers / scale`, and 0 where the scale is 0."""
    return np.divide(numbers, scale, out=np.zeros_like(numbers), where=scale != 0)


@dataclass(frozen=True)
class LinearSteps:
    levels: object = levels
    peak: object = peak
    step: object = step
    divide: object = quotient
    whole: object = whole
    cut: object = cut
    products: object = products
    rescale: object = rescale


LINEAR = LinearSteps()


def quantize(w, group, bits=8, *, steps=LINEAR):
    """Weights `(d_in, d_out)` as int8, and the scales `(d_in / group, d_out)`."""
    groups = steps.cut(w, group)
    scales = steps.step(steps.peak(groups), steps.levels(bits))
    q = steps.whole(steps.divide(groups, scales[:, None, :]))
    return q.reshape(w.shape).astype(np.int8), scales


def quantized_linear(x, q, scales, *, steps=LINEAR):
    """`(..., d_in)` to `(..., d_out)` by quantized weights."""
    group = q.shape[0] // scales.shape[0]
    parts = steps.products(x, q.astype(x.dtype), group)
    return steps.rescale(parts, scales).sum(axis=-2)


# ── a cache in int8 ──────────────────────────────────────────────────────────────────────────────


def of_token(rows):
    """The scale of each token and head: `(..., t, d)` to `(..., t, 1)`."""
    return np.abs(rows).max(axis=-1, keepdims=True) / 127


def add(old, new):
    """Put new tokens behind the old ones."""
    return new if old is None else np.concatenate([old, new], axis=-2)


def scores(q, keys, scales):
    """The scaled scores of queries with keys in int8: `(..., m, n)`."""
    return q @ keys.swapaxes(-1, -2) * scales.swapaxes(-1, -2) / math.sqrt(q.shape[-1])


def mix(weights, values, scales):
    """The weighted sums of values in int8: `(..., m, d)`."""
    return weights @ (values * scales)


@dataclass(frozen=True)
class CacheSteps:
    of_token: object = of_token
    whole: object = whole
    add: object = add
    scores: object = scores
    softmax: object = softmax
    mix: object = mix
    kept: object = lambda rows, scales, q: (q.astype(np.int8), scales)


CACHE = CacheSteps()


class Int8Cache:
    """Keys and values in int8, with a scale per token and head."""

    def __init__(self, *, steps=CACHE):
        self._steps = steps
        self._keys = self._values = self._of_keys = self._of_values = None

    def append(self, k, v):
        """Keep new tokens, `(b, h, t, d)` each."""
        steps = self._steps
        keys, of_keys = self._packed(k)
        values, of_values = self._packed(v)
        self._keys, self._of_keys = steps.add(self._keys, keys), steps.add(self._of_keys, of_keys)
        self._values = steps.add(self._values, values)
        self._of_values = steps.add(self._of_values, of_values)

    def _packed(self, rows):
        scales = self._steps.of_token(rows)
        return self._steps.kept(rows, scales, self._steps.whole(quotient(rows, scales)))

    def stored(self):
        """Return keys, their scales, values and their scales."""
        return self._keys, self._of_keys, self._values, self._of_values

    def attend(self, q):
        """Attend to all that is kept: `(b, h, m, d)` to `(b, h, m, d)`."""
        steps = self._steps
        weights = steps.softmax(
            steps.scores(q, self._keys.astype(q.dtype), self._of_keys.astype(q.dtype))
        )
        return steps.mix(weights, self._values.astype(q.dtype), self._of_values.astype(q.dtype))
