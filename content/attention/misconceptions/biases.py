"""Mistakes with biases that lower the scores by distance (ALiBi)."""

import dataclasses
import math

import numpy as np

from studyattn.attention import STEPS, alibi_attention
from studyattn.grading.misconception import Misconception

from .masks import _unmasked

BIAS = r"S_{pj} - s_i\,(p - j)"
SLOPES = r"s_i = 2^{-8i/h}, \; i = 1, \dots, h"


def _by_powers_of_two(num_heads, like):
    """Slopes of the next smaller power of two, then every second of the next larger one."""
    power = 2 ** int(math.log2(num_heads))
    more = STEPS.slopes(2 * power, like)[::2]
    return np.concatenate((STEPS.slopes(power, like), more))[:num_heads]


def _halved_each_time(num_heads, like):
    return 2.0 ** -np.arange(1.0, num_heads + 1)


def _from_one(num_heads, like):
    return 2.0 ** (-8.0 * np.arange(num_heads) / num_heads)


def _reversed(num_heads, like):
    return STEPS.slopes(num_heads, like)[::-1]


def _one_for_all(choose):
    return {
        "slopes": lambda num_heads, like: np.full(num_heads, choose(STEPS.slopes(num_heads, like)))
    }


def _other_sign(scores, slopes, distances):
    return STEPS.lower(scores, -slopes, distances)


def _not_lowered(scores, slopes, distances):
    return scores


def _both_ways(m, n, like):
    return np.abs(STEPS.distances(m, n, like))


def _queries_first(m, n, like):
    return np.abs(np.arange(m)[:, None] - np.arange(n))


def _before_the_scale(q, k, v, *, steps=STEPS):
    width = q.shape[-1]

    def slopes(num_heads, like):
        return steps.slopes(num_heads, like) / math.sqrt(width)

    return alibi_attention(q, k, v, steps=dataclasses.replace(steps, slopes=slopes))


def _after_the_softmax(hidden):
    """The weights are lowered in the place of the scores, those of hidden keys only if `hidden`."""

    def attend(q, k, v, *, steps=STEPS):
        q, k, v = steps.roles(q, k, v)
        m, n = q.shape[-2], k.shape[-2]
        allowed = steps.causal(m, n, q)
        weights = steps.weigh(steps.scores(q, k), q.shape[-1], allowed, steps)
        slopes, distances = steps.slopes(q.shape[-3], q), steps.distances(m, n, q)
        lowered = steps.lower(weights, slopes, distances)
        return steps.aggregate(lowered if hidden else np.where(allowed, lowered, 0.0), v)

    return {"alibi_attention": attend}


alibi_sign = Misconception(
    id="alibi-sign",
    title="The sign is wrong: distant keys are preferred over nearby ones.",
    formula=BIAS,
    concept="alibi",
    ways=({"lower": _other_sign},),
)

alibi_missing = Misconception(
    id="alibi-missing",
    title=(
        "No score is lowered by its distance, or all of a query's scores are lowered equally, "
        "which softmax ignores."
    ),
    formula=BIAS,
    concept="alibi",
    ways=({"lower": _not_lowered},),
)

alibi_one_slope = Misconception(
    id="alibi-one-slope",
    title="All heads have the same slope; each should have its own.",
    formula=SLOPES,
    concept="alibi",
    ways=(
        _one_for_all(lambda slopes: slopes[0]),
        _one_for_all(lambda slopes: slopes[-1]),
        _one_for_all(lambda slopes: 1.0),
        _one_for_all(lambda slopes: 0.5),
    ),
)

alibi_powers_of_two = Misconception(
    id="alibi-powers-of-two",
    title=(
        "If the number of heads is not a power of two, the slopes are combined from powers of "
        "two; this drill uses one rule for any number."
    ),
    formula=SLOPES,
    concept="alibi",
    ways=({"slopes": _by_powers_of_two},),
)

alibi_halved = Misconception(
    id="alibi-halved",
    title="Each slope is half of the previous one, which is correct only for 8 heads.",
    formula=SLOPES,
    concept="alibi",
    ways=({"slopes": _halved_each_time},),
)

alibi_first_slope_one = Misconception(
    id="alibi-first-slope-one",
    title="The slopes begin with 1: the formula counts heads from i = 1, not from 0.",
    formula=SLOPES,
    concept="alibi",
    ways=({"slopes": _from_one},),
)

alibi_slopes_reversed = Misconception(
    id="alibi-slopes-reversed",
    title="The slopes are in the wrong order: the first head should have the steepest one.",
    formula=SLOPES,
    concept="alibi",
    ways=({"slopes": _reversed},),
)

alibi_before_scale = Misconception(
    id="alibi-before-scale",
    title="The bias is divided by √d with the scores; it should be subtracted after the division.",
    formula=r"\frac{QK^T}{\sqrt{d}} - s_i D",
    concept="alibi",
    ways=({"alibi_attention": _before_the_scale},),
)

alibi_after_softmax = Misconception(
    id="alibi-after-softmax",
    title=(
        "The weights are lowered after the softmax, so they do not sum to 1; lower the scores "
        "instead."
    ),
    formula=r"\text{softmax}(S - s_i D + M) \ne \text{softmax}(S + M) - s_i D",
    concept="alibi",
    ways=(_after_the_softmax(hidden=False), _after_the_softmax(hidden=True)),
)

alibi_looks_ahead = Misconception(
    id="alibi-looks-ahead",
    title="Later keys are lowered by their distance but not hidden: the causal mask is missing.",
    formula=r"M_{pj} = -\infty \text{ where } j > p",
    concept="alibi",
    ways=({"distances": _both_ways, "mask": _unmasked},),
)

alibi_queries_first = Misconception(
    id="alibi-queries-first",
    title="Distances are computed as if the queries were the first positions; they are the last.",
    formula=r"p = n - m, \dots, n - 1",
    concept="alibi",
    ways=({"distances": _queries_first},),
)

OF_ALIBI = (
    alibi_sign,
    alibi_powers_of_two,
    alibi_missing,
    alibi_one_slope,
    alibi_after_softmax,
    alibi_before_scale,
    alibi_halved,
    alibi_first_slope_one,
    alibi_slopes_reversed,
    alibi_looks_ahead,
    alibi_queries_first,
)
