"""Mistakes on the way from queries and keys to weights, and from weights to the output."""

import dataclasses
import math

import numpy as np

from studyattn.grading.misconception import Misconception

# ── the scale ────────────────────────────────────────────────────────────────────────────────────


def _scaled(scale):
    """Another scale, forwards and, where gradients are written out, backwards; or forwards only."""
    return {"scale": scale, "scale_backward": scale}, {"scale": scale}


def _by_stream_width():
    """Remembers how wide the tokens are when they are projected, and scales by that."""
    width = []

    def qkv(x, context, w_q, w_k, w_v, steps):
        width[:] = [x.shape[-1]]
        return steps.project(x, w_q), steps.project(context, w_k), steps.project(context, w_v)

    return {"qkv": qkv, "scale": lambda scores, _width: scores / math.sqrt(width[0])}


def _scale_after_softmax(scores, width, allowed, steps):
    weights = steps.normalise(scores if allowed is None else steps.mask(scores, allowed))
    return steps.scale(weights, width)


scale_missing = Misconception(
    id="scale-missing",
    title="The scores are not divided by √d.",
    formula=r"\text{softmax}\left(\frac{QK^T}{\sqrt{d}}\right)",
    concept="scaling",
    ways=_scaled(lambda scores, width: scores),
)

scale_by_d = Misconception(
    id="scale-by-d",
    title="The scores are divided by d, not by its square root.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=_scaled(lambda scores, width: scores / width),
)

scale_by_d_model = Misconception(
    id="scale-by-d-model",
    title="The scores of a head are divided by √d_model, not by the root of the head's own width.",
    formula=r"\frac{Q_i K_i^T}{\sqrt{d_{head}}}",
    concept="multi-head",
    ways=(
        _by_stream_width,
        {"scale": lambda scores, width: scores / math.sqrt(width * scores.shape[-3])},
    ),
)

scale_multiplied = Misconception(
    id="scale-multiplied",
    title="The scores are multiplied by √d, not divided.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=_scaled(lambda scores, width: scores * math.sqrt(width)),
)

scale_after_softmax = Misconception(
    id="scale-after-softmax",
    title="The weights are divided by √d after the softmax; they no longer sum to 1.",
    formula=r"\text{softmax}\left(\frac{QK^T}{\sqrt{d}}\right)",
    concept="scaling",
    ways=({"weigh": _scale_after_softmax},),
)

scale_by_keys = Misconception(
    id="scale-by-keys",
    title="The scores are divided by the root of the number of keys, not of the width d.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=({"scale": lambda scores, width: scores / math.sqrt(scores.shape[-1])},),
)

# ── the softmax ──────────────────────────────────────────────────────────────────────────────────


def _softmax(scores, axis):
    """Over any axes; a row of nothing but −∞ is 0/0, NaN, as in every array library."""
    exponentials = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


def _along(axis):
    """A softmax over `axis`, as it is, and with its NaN made zeros."""

    def plain(scores):
        return _softmax(scores, axis(scores) if callable(axis) else axis)

    def without_nan(scores):
        weights = plain(scores)
        return np.where(np.isnan(weights), 0.0, weights)

    return {"normalise": plain}, {"normalise": without_nan}


def over_queries(weights, grad):
    """The gradient of a softmax that runs over the queries."""
    return weights * (grad - np.sum(weights * grad, axis=-2, keepdims=True))


def _all_axes(scores):
    return tuple(range(scores.ndim))


def _divided_by_all(peak):
    """Each exponential over the sum of all, after `peak` of the scores was subtracted."""

    def normalise(scores):
        exponentials = np.exp(scores - peak(scores))
        return exponentials / np.sum(exponentials)

    return {"normalise": normalise}


def _no_peak(scores):
    exponentials = np.exp(scores)
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def _no_peak_guarded(scores):
    exponentials = np.exp(scores)
    total = np.sum(exponentials, axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1.0, total)


def _no_peak_without_nan(scores):
    weights = _no_peak(scores)
    return np.where(np.isnan(weights), 0.0, weights)


def _no_peak_masked_after(instead_of_zero):
    """The exponentials are masked; a sum of 0 is divided by as it is, or is replaced."""

    def weigh(scores, width, allowed, steps):
        exponentials = np.exp(steps.scale(scores, width))
        if allowed is not None:
            exponentials = exponentials * allowed
        total = np.sum(exponentials, axis=-1, keepdims=True)
        return exponentials / np.where(total == 0, instead_of_zero, total)

    return {"weigh": weigh}


def _relative_to(chosen, instead_of_zero=1.0):
    """Another number of the row than the largest is subtracted: `chosen` of those not masked."""

    def normalise(scores):
        seen = scores != -math.inf
        exponentials = np.exp(scores - chosen(np.where(seen, scores, 0.0), seen))
        total = np.sum(exponentials, axis=-1, keepdims=True)
        return exponentials / np.where(total == 0, instead_of_zero, total)

    return {"normalise": normalise}


def _mean(scores, seen):
    count = np.sum(seen, axis=-1, keepdims=True, dtype=scores.dtype)
    return np.sum(scores, axis=-1, keepdims=True) / np.maximum(count, 1)


def _smallest(scores, seen):
    smallest = np.min(scores, axis=-1, keepdims=True, where=seen, initial=math.inf)
    return np.where(np.isinf(smallest), 0.0, smallest)


def _largest_size(scores, seen):
    return np.max(np.abs(scores), axis=-1, keepdims=True)


def _as_scores(scores):
    return np.where(scores == -math.inf, 0.0, scores)


def _exponentials(scores):
    peak = np.max(scores, axis=-1, keepdims=True)
    return np.exp(scores - np.where(peak == -math.inf, 0.0, peak))


softmax_missing = Misconception(
    id="softmax-missing",
    title="The scores go to the values as they are: there is no softmax.",
    formula=r"\text{softmax}(S)\,V",
    concept="softmax",
    ways=({"normalise": lambda scores: scores}, {"normalise": _as_scores}),
)

softmax_wrong_axis = Misconception(
    id="softmax-wrong-axis",
    title="The softmax runs over the queries: each column sums to 1, not each row.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=(
        *_along(-2),
        {"normalise": lambda scores: _softmax(scores, -2), "normalise_backward": over_queries},
    ),
)

softmax_over_heads = Misconception(
    id="softmax-over-heads",
    title="The softmax runs over the heads, not over the keys.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=(*_along(-3), *_along(1)),
)

softmax_over_batch = Misconception(
    id="softmax-over-batch",
    title="The softmax runs over the first axis, the batch, not over the keys.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=_along(0),
)

softmax_global = Misconception(
    id="softmax-global",
    title="The softmax runs over all scores at once: the whole matrix sums to 1, not each row.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=(
        *_along((-2, -1)),
        *_along(_all_axes),
        _divided_by_all(lambda scores: 0.0),
        _divided_by_all(lambda scores: np.max(scores, axis=-1, keepdims=True)),
    ),
)

softmax_unstable = Misconception(
    id="softmax-unstable",
    title="The exponentials overflow: subtract the largest score before you exponentiate.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i - \max s}}{\sum_j e^{s_j - \max s}}",
    concept="numerical-stability",
    ways=(
        {"normalise": _no_peak},
        {"normalise": _no_peak_guarded},
        {"normalise": _no_peak_without_nan},
        _no_peak_masked_after(1.0),
        _no_peak_masked_after(0.0),
        _relative_to(_mean),
        _relative_to(_smallest),
        _relative_to(_largest_size),
        _relative_to(_largest_size, instead_of_zero=0.0),
        {
            "running_peak": lambda peak, scores: np.zeros_like(peak),
            "rescale": lambda total, old, new: total,
        },
    ),
)

softmax_not_divided = Misconception(
    id="softmax-not-divided",
    title="The exponentials are not divided by their sum; the weights do not sum to 1.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=({"normalise": np.exp}, {"normalise": _exponentials}),
)

softmax_without_exponential = Misconception(
    id="softmax-without-exponential",
    title="The numbers are divided by their sum without being exponentiated.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=({"normalise": lambda scores: scores / np.sum(scores, axis=-1, keepdims=True)},),
)

softmax_dropped = Misconception(
    id="softmax-dropped",
    title="The softmax is computed and then not used: every key gets the same weight.",
    formula=r"\text{softmax}(S)\,V",
    concept="softmax",
    ways=({"normalise": lambda scores: np.full(scores.shape, 1.0 / scores.shape[-1])},),
)


def _titled(misconception, title):
    return dataclasses.replace(misconception, title=title)


OF_ROWS = (
    _titled(softmax_missing, "The entries come back as they are: there is no softmax."),
    _titled(
        softmax_wrong_axis,
        "The softmax runs over the last axis but one: each column sums to 1, not each row.",
    ),
    softmax_unstable,
    _titled(
        softmax_global,
        "The softmax runs over all entries at once: the whole array sums to 1, not each row.",
    ),
    _titled(softmax_over_batch, "The softmax runs over the first axis, not over the last."),
    _titled(softmax_over_heads, "The softmax runs over another axis than the last."),
    _titled(
        softmax_not_divided,
        "The exponentials are not divided by their sum: the rows do not sum to 1.",
    ),
    softmax_without_exponential,
    _titled(
        softmax_dropped, "Every entry of a row gets the same share: the exponentials are not used."
    ),
)
"""The same mistakes in a softmax alone, where there are neither queries nor keys nor heads."""

# ── who plays which part ─────────────────────────────────────────────────────────────────────────

query_key_swapped = Misconception(
    id="query-key-swapped",
    title="Queries and keys have changed places: the keys ask and the queries answer.",
    formula=r"S = QK^T",
    concept="query-key-value",
    ways=(
        {"roles": lambda q, k, v: (k, q, v)},
        {
            "qkv": lambda x, context, w_q, w_k, w_v, steps: (
                steps.project(x, w_k),
                steps.project(context, w_q),
                steps.project(context, w_v),
            )
        },
    ),
)

values_are_keys = Misconception(
    id="values-are-keys",
    title="The weights mix the keys, not the values.",
    formula=r"\text{softmax}(S)\,V",
    concept="query-key-value",
    ways=(
        {"roles": lambda q, k, v: (q, k, k)},
        {"roles": lambda q, k, v: (q, k, np.where(k > 0, k + 1.0, np.exp(np.minimum(k, 0.0))))},
        {
            "qkv": lambda x, context, w_q, w_k, w_v, steps: (
                steps.project(x, w_q),
                steps.project(context, w_k),
                steps.project(context, w_k),
            )
        },
    ),
)

keys_are_values = Misconception(
    id="keys-are-values",
    title="The queries are compared with the values, not with the keys.",
    formula=r"S = QK^T",
    concept="query-key-value",
    ways=({"roles": lambda q, k, v: (q, v, v)},),
)

keys_are_queries = Misconception(
    id="keys-are-queries",
    title="The queries are compared with themselves, not with the keys.",
    formula=r"S = QK^T",
    concept="query-key-value",
    ways=({"roles": lambda q, k, v: (q, q, v)},),
)

weights_transposed = Misconception(
    id="weights-transposed",
    title="The weights are transposed before they mix the values.",
    formula=r"O_i = \sum_j P_{ij} V_j",
    concept="weighted-sum",
    ways=({"aggregate": lambda weights, v: np.matrix_transpose(weights) @ v},),
)

SCALE = (scale_missing, scale_by_d, scale_multiplied, scale_after_softmax, scale_by_keys)

SOFTMAX = (
    softmax_missing,
    softmax_wrong_axis,
    softmax_unstable,
    softmax_global,
    softmax_over_batch,
    softmax_over_heads,
    softmax_not_divided,
    softmax_without_exponential,
    softmax_dropped,
)

ROLES = (
    values_are_keys,
    query_key_swapped,
    weights_transposed,
    keys_are_values,
    keys_are_queries,
)

WITHOUT_HEADS = (
    *SCALE,
    *(each for each in SOFTMAX if each is not softmax_over_heads),
    *ROLES,
)
"""Those that can be made where there is a batch and no heads."""

ATTENTION = (*SCALE, *SOFTMAX, *ROLES)
"""Those that can be made wherever queries attend to keys."""
