"""Attention split over keys, and a cache of a window with sinks."""

import math
from dataclasses import dataclass

import numpy as np

from ..shared import softmax


def scores(q, k):
    """The scaled scores: `(..., m, n)`."""
    return q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])


def exponents(numbers):
    """What is exponentiated: scores, or logarithms of sums."""
    return numbers


def total(numbers, axis):
    """log Σ e^x along an axis, without overflow."""
    top = numbers.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0).astype(numbers.dtype)
    return np.squeeze(top, axis) + np.log(np.exp(numbers - top).sum(axis=axis))


def mix(scores, v):
    """Return attention's output by these scores."""
    return softmax(scores) @ v


def weights(lses):
    """The share of each part in the whole: `(s, h, m)`."""
    return np.exp(lses - total(lses, 0))


@dataclass(frozen=True)
class SplitSteps:
    scores: object = scores
    exponents: object = exponents
    total: object = total
    mix: object = mix
    weights: object = weights
    whole: object = lambda lses: total(lses, 0)


STEPS = SplitSteps()


def partial_attention(q, k, v, *, steps=STEPS):
    """Attention over some keys, and log Σ e^score: `(..., m, d_v)` and `(..., m)`."""
    found = steps.exponents(steps.scores(q, k))
    return steps.mix(found, v), steps.total(found, -1)


def merge(outputs, lses, *, steps=STEPS):
    """The parts `(s, h, m, d_v)` and `(s, h, m)` as one."""
    there = np.isfinite(lses)  # those of empty parts say nothing about rounding
    lses = np.where(there, steps.exponents(np.where(there, lses, 0)), lses)
    return (steps.weights(lses)[..., None] * outputs).sum(axis=0), steps.whole(lses)


class SinkCache:
    """The first tokens and the latest ones; its methods are what a mistake changes."""

    def __init__(self, sinks, window):
        self._sinks, self._window = sinks, window
        self._k = self._v = None
        self._places = np.zeros(0, np.int64)
        self._seen = 0

    def append(self, k, v):
        """Take in new tokens, `(t, d)` each."""
        places = np.arange(self._seen, self._seen + len(k))
        self._seen += len(k)
        if self._k is not None:
            k, v = np.concatenate([self._k, k]), np.concatenate([self._v, v])
            places = np.concatenate([self._places, places])
        keep = self.kept_places(places)
        self._k, self._v, self._places = k[keep], v[keep], places[keep]

    def kept_places(self, places):
        """Return which of the tokens stay."""
        return (places < self._sinks) | (places >= max(self._seen - self._window, 0))

    def kept(self):
        """Return the kept keys and values in order of position."""
        return self._k, self._v

    def positions(self):
        """Return the positions of the kept tokens."""
        return self._places

    def attend(self, q):
        """Attention to all kept tokens: `(m, d)` to `(m, d)`."""
        return softmax(scores(q, self._k)) @ self._v
