"""Mistakes with who may attend to whom."""

import dataclasses
import math

import numpy as np

from studyattn.attention import STEPS, padded_attention
from studyattn.grading.misconception import Misconception

from .weights import _softmax

# ── how a mask is applied ────────────────────────────────────────────────────────────────────────


def _unmasked(scores, allowed):
    return scores


def _after_softmax(scores, width, allowed, steps):
    weights = steps.normalise(steps.scale(scores, width))
    return weights if allowed is None else np.where(allowed, weights, 0.0)


def _nan_rows(scores):
    return _softmax(scores, -1)


def _fill(value):
    return {"mask": lambda scores, allowed: np.where(allowed, scores, value)}


def _fill_before_scale(value):
    """The fill is scaled with the scores, which changes it only where it is small."""

    def weigh(scores, width, allowed, steps):
        return steps.normalise(steps.scale(np.where(allowed, scores, value), width))

    return {"weigh": weigh}


def _fill_clearing_empty_rows(value):
    def weigh(scores, width, allowed, steps):
        scaled = steps.scale(scores, width)
        if allowed is None:
            return steps.normalise(scaled)
        weights = steps.normalise(np.where(allowed, scaled, value))
        return weights * np.any(allowed, axis=-1, keepdims=True)

    return {"weigh": weigh}


def _everything(x, axis):
    """Running sums that have run to the end already, for causal linear attention."""
    return np.broadcast_to(np.sum(x, axis=axis, keepdims=True), x.shape)


def _next_too(x, axis):
    n = x.shape[axis]
    return np.take(np.cumsum(x, axis=axis), np.minimum(np.arange(n) + 1, n - 1), axis=axis)


def _from_the_end(x, axis):
    return np.flip(np.cumsum(np.flip(x, axis), axis=axis), axis)


def _before(x, axis):
    return np.cumsum(x, axis=axis) - x


def _share_or_zero(numerator, denominator):
    some = denominator != 0
    return np.where(some, numerator / np.where(some, denominator, 1.0), 0.0)


mask_missing = Misconception(
    id="mask-missing",
    title="The mask is not used: every query attends to every key.",
    formula=r"\text{softmax}\left(\frac{QK^T}{\sqrt{d}} + M\right)",
    concept="masking",
    ways=({"mask": _unmasked}, {"prefix": _everything}),
)

mask_inverted = Misconception(
    id="mask-inverted",
    title="The mask is inverted: True means that a query may attend.",
    formula=r"M_{ij} = 0 \text{ where } i \text{ may attend to } j, \; -\infty \text{ elsewhere}",
    concept="masking",
    ways=(
        {"mask": lambda scores, allowed: np.where(allowed, -math.inf, scores)},
        {
            "mask": lambda scores, allowed: np.where(allowed, -math.inf, scores),
            "normalise": _nan_rows,
        },
        {"mask": lambda scores, allowed: np.where(allowed, -1e9, scores)},
    ),
)

mask_after_softmax = Misconception(
    id="mask-after-softmax",
    title="The mask is applied after the softmax, so the remaining weights do not sum to 1.",
    formula=r"\text{softmax}(S + M) \ne \text{softmax}(S) \circ A",
    concept="masking",
    ways=({"weigh": _after_softmax},),
)

mask_multiplied = Misconception(
    id="mask-multiplied",
    title="The scores are multiplied by the mask: a score of 0 still has weight e⁰ = 1.",
    formula=r"S + M, \; M_{ij} \in \{0, -\infty\}",
    concept="masking",
    ways=({"mask": lambda scores, allowed: scores * allowed},),
)

mask_added_raw = Misconception(
    id="mask-added-raw",
    title="The boolean mask is added to the scores as 0 and ±1, not as 0 and −∞.",
    formula=r"S + M, \; M_{ij} \in \{0, -\infty\}",
    concept="masking",
    ways=(
        {"mask": lambda scores, allowed: scores + allowed},
        {"mask": lambda scores, allowed: scores + ~allowed},
        {"mask": lambda scores, allowed: scores - allowed},
        {"mask": lambda scores, allowed: scores - ~allowed},
    ),
)

mask_fill_too_small = Misconception(
    id="mask-fill-too-small",
    title=(
        "Masked scores are filled with a number that is not low enough, so they keep some weight."
    ),
    formula=r"e^{-\infty} = 0",
    concept="masking",
    ways=(
        *(_fill(value) for value in (-1e-9, -1e-10, -1.0, -10.0, -100.0, -1e3, -1e4, -1e5, -1e6)),
        *(
            _fill_clearing_empty_rows(value)
            for value in (-1e-9, -10.0, -20.0, -30.0, -100.0, -1e3, -1e4, -1e5, -1e6)
        ),
        *(_fill_before_scale(value) for value in (-1e-9, -1.0, -10.0, -100.0, -1e4)),
    ),
)

mask_nan_rows = Misconception(
    id="mask-nan-rows",
    title="A query that may attend to nothing gives NaN: its softmax is 0/0. It must give zeros.",
    formula=r"\frac{e^{-\infty}}{\sum_j e^{-\infty}} = \frac{0}{0}",
    concept="fully-masked-rows",
    ways=({"normalise": _nan_rows},),
)

mask_empty_rows_uniform = Misconception(
    id="mask-empty-rows-uniform",
    title="A query that may attend to nothing gets the mean of all values. It must give zeros.",
    formula=r"A_{i\cdot} = 0 \Rightarrow O_i = 0",
    concept="fully-masked-rows",
    ways=(_fill(-1e30), _fill(-1e9)),
)


def _keys_as_queries(scores, width, allowed, steps):
    """The mask of the keys laid along the queries, cut to their number or filled with True."""
    weights = steps.normalise(steps.scale(scores, width))
    if allowed is None:
        return weights
    m, n = scores.shape[-2:]
    rows = np.ones((*allowed.shape[:-2], m, 1), bool)
    rows[..., : min(m, n), 0] = allowed[..., 0, : min(m, n)]
    return weights * rows


mask_on_queries = Misconception(
    id="mask-on-queries",
    title="The mask hides queries; it should hide keys.",
    formula=r"S_{ij} + M_{ij}, \; j \text{ the key}",
    concept="padding-mask",
    ways=(
        {
            "weigh": lambda scores, width, allowed, steps: (
                steps.normalise(steps.scale(scores, width))
                * (1.0 if allowed is None else np.any(allowed, axis=-1, keepdims=True))
            )
        },
        {"spread": lambda mask, heads: mask[:, None, :, None]},
        {"weigh": _keys_as_queries},
    ),
)


def _of_queries(lengths, m, n):
    return (np.arange(m) < lengths[:, None])[:, :, None]


padding_on_queries = dataclasses.replace(
    mask_on_queries,
    ways=(
        mask_on_queries.ways[0],
        {"padding": _of_queries},
        {"padding": _of_queries, "normalise": _nan_rows},
        {"padding": _of_queries, "weigh": _after_softmax},
    ),
)
"""The same where the mask is made from lengths."""

mask_transposed = Misconception(
    id="mask-transposed",
    title="The mask is transposed: rows are queries and columns are keys.",
    formula=r"M_{ij}: \; i \text{ the query}, \; j \text{ the key}",
    concept="masking",
    ways=(
        {"mask": lambda scores, allowed: np.where(np.matrix_transpose(allowed), scores, -math.inf)},
        {
            "mask": lambda scores, allowed: np.where(
                np.matrix_transpose(allowed), scores, -math.inf
            ),
            "normalise": _nan_rows,
        },
    ),
)

mask_first_batch = Misconception(
    id="mask-first-batch",
    title="The first batch entry's mask is used for all of them.",
    formula=r"S_b + M_b",
    concept="masking",
    ways=(
        {
            "mask": lambda scores, allowed: np.where(
                allowed[(0,) * (allowed.ndim - 2)], scores, -math.inf
            )
        },
        {"padding": lambda lengths, m, n: np.arange(n) < lengths[:1, None, None]},
    ),
)

mask_first_row = Misconception(
    id="mask-first-row",
    title="The mask's first row is used for every query.",
    formula=r"M_{ij}: \; i \text{ the query}, \; j \text{ the key}",
    concept="masking",
    ways=({"mask": lambda scores, allowed: np.where(allowed[..., :1, :], scores, -math.inf)},),
)


def _hidden_in_the_sum(guard):
    """Weights over all keys, then only those that may be seen, divided by `guard` of their sum."""

    def weigh(scores, width, allowed, steps):
        scaled = steps.scale(scores, width)
        weights = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))
        weights = weights / np.sum(weights, axis=-1, keepdims=True)
        if allowed is None:
            return weights
        weights = weights * allowed
        return weights / guard(np.sum(weights, axis=-1, keepdims=True))

    return {"weigh": weigh}


def _hidden_in_the_maximum(guard):
    """The maximum of all keys is subtracted, then only those that may be seen are kept."""

    def weigh(scores, width, allowed, steps):
        scaled = steps.scale(scores, width)
        weights = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))
        if allowed is not None:
            weights = weights * allowed
        return weights / guard(np.sum(weights, axis=-1, keepdims=True))

    return {"weigh": weigh}


GUARDS = (
    lambda total: total,
    lambda total: np.where(total == 0, 1.0, total),
    *(lambda total, least=10.0**-digits: np.maximum(total, least) for digits in (6, 8, 9, 12)),
    *(lambda total, more=10.0**-digits: total + more for digits in (6, 8, 9, 10, 12)),
)
"""What is done against a sum of 0."""

mask_hidden_in_softmax = Misconception(
    id="mask-hidden-in-softmax",
    title=(
        "Hidden keys take part in the softmax before they are dropped: a large one leaves "
        "nothing for the others."
    ),
    formula=r"\frac{e^{s_j - \max_A s}}{\sum_{i \in A} e^{s_i - \max_A s}}",
    concept="masking",
    ways=(
        *(_hidden_in_the_maximum(guard) for guard in GUARDS),
        *(_hidden_in_the_sum(guard) for guard in GUARDS),
    ),
)

# ── which mask is made ───────────────────────────────────────────────────────────────────────────


def _band(shift, *, top_left=False, later=False):
    """Keys up to `shift` after the query; at the top left; or the later ones in their place."""

    def causal(m, n, like):
        query = np.arange(m)[:, None] + (0 if top_left else n - m)
        key = np.arange(n)
        return key >= query + shift if later else key <= query + shift

    return causal


mask_future_only = Misconception(
    id="mask-future-only",
    title="The triangle is wrong: queries see the future, not the past.",
    formula=r"A_{ij} = 1 \text{ where } j \le i",
    concept="causal-mask",
    ways=(
        {"causal": _band(0, later=True)},
        {"causal": _band(0, later=True, top_left=True)},
        {"prefix": _from_the_end},
    ),
)

mask_excludes_self = Misconception(
    id="mask-excludes-self",
    title="A query may not see its own position; it must.",
    formula=r"A_{ij} = 1 \text{ where } j \le i",
    concept="causal-mask",
    ways=(
        {"causal": _band(-1)},
        {"causal": _band(-1), "normalise": _nan_rows},
        {"causal": _band(-1), "mask": lambda scores, allowed: np.where(allowed, scores, -1e9)},
        {"prefix": _before},
        {"prefix": _before, "share": _share_or_zero},
    ),
)

mask_sees_next = Misconception(
    id="mask-sees-next",
    title="A query sees one position into the future.",
    formula=r"A_{ij} = 1 \text{ where } j \le i",
    concept="causal-mask",
    ways=({"causal": _band(1)}, {"prefix": _next_too}),
)

mask_top_left = Misconception(
    id="mask-top-left",
    title="The mask is aligned to the top left: with fewer queries than keys, "
    "the queries are the last positions.",
    formula=r"A_{ij} = 1 \text{ where } j \le i + (n - m)",
    concept="causal-mask",
    ways=({"causal": _band(0, top_left=True)},),
)

mask_offset_reversed = Misconception(
    id="mask-offset-reversed",
    title="The mask is shifted by m - n; it should be n - m, so that the last query sees all keys.",
    formula=r"A_{ij} = 1 \text{ where } j \le i + (n - m)",
    concept="causal-mask",
    ways=({"causal": lambda m, n, like: np.tri(m, n, m - n, dtype=bool)},),
)


def _window(width):
    def causal(m, n, like):
        query, key = np.arange(m)[:, None] + n - m, np.arange(n)
        return (key <= query) & (key > query - width)

    return causal


mask_window = Misconception(
    id="mask-window",
    title="A query sees only the last few keys up to itself; it should see all of them.",
    formula=r"A_{ij} = 1 \text{ where } j \le i + (n - m)",
    concept="causal-mask",
    ways=tuple({"causal": _window(width)} for width in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)),
)

mask_square_only = Misconception(
    id="mask-square-only",
    title="The causal mask is used only when there are as many queries as keys.",
    formula=r"A_{ij} = 1 \text{ where } j \le i + (n - m)",
    concept="causal-mask",
    ways=(
        {
            "causal": lambda m, n, like: (
                np.tri(m, n, dtype=bool) if m == n else np.ones((m, n), bool)
            )
        },
    ),
)

padding_off_by_one = Misconception(
    id="padding-off-by-one",
    title="The first key of the padding is still seen, or the last real key is not.",
    formula=r"A_{bj} = 1 \text{ where } j < \text{length}_b",
    concept="padding-mask",
    ways=(
        {"padding": lambda lengths, m, n: np.arange(n) <= lengths[:, None, None]},
        {"padding": lambda lengths, m, n: np.arange(n) < lengths[:, None, None] - 1},
    ),
)

padding_on_the_left = Misconception(
    id="padding-on-the-left",
    title="The first keys are treated as padding; the padding is at the end.",
    formula=r"A_{bj} = 1 \text{ where } j < \text{length}_b",
    concept="padding-mask",
    ways=({"padding": lambda lengths, m, n: np.arange(n) >= n - lengths[:, None, None]},),
)


padding_never_empty = Misconception(
    id="padding-never-empty",
    title="A sequence of length 0 is treated as if it were not empty; it must give zeros.",
    formula=r"\text{length}_b = 0 \Rightarrow O_b = 0",
    concept="fully-masked-rows",
    ways=tuple(
        {
            "padding": lambda lengths, m, n, given=given: (
                np.arange(n) < given(lengths, n)[:, None, None]
            )
        }
        for given in (
            lambda lengths, n: np.maximum(lengths, 1),
            lambda lengths, n: np.where(lengths == 0, n, lengths),
        )
    ),
)

padding_one_length = Misconception(
    id="padding-one-length",
    title="One length of the batch, the longest or the shortest, is used for all sequences.",
    formula=r"A_{bj} = 1 \text{ where } j < \text{length}_b",
    concept="padding-mask",
    ways=tuple(
        {
            "padding": lambda lengths, m, n, choose=choose: np.broadcast_to(
                np.arange(n) < choose(lengths, initial=0 if choose is np.max else n),
                (len(lengths), 1, n),
            )
        }
        for choose in (np.max, np.min)
    ),
)


def _queries_zeroed(q, k, v, lengths, *, steps=STEPS):
    real = np.arange(q.shape[-2]) < lengths[:, None]
    return padded_attention(q, k, v, lengths, steps=steps) * real[:, :, None]


padding_queries_zeroed = Misconception(
    id="padding-queries-zeroed",
    title="Padded queries get zeros; only keys should be masked.",
    formula=r"A_{bij} = 1 \text{ where } j < \text{length}_b",
    concept="padding-mask",
    ways=({"padded_attention": _queries_zeroed},),
)

mask_batch_as_heads = Misconception(
    id="mask-batch-as-heads",
    title="The mask's batch axis is aligned with the heads: add an axis of size 1 for the heads.",
    formula=r"A: (b, 1, 1, n)",
    concept="padding-mask",
    ways=(
        {"spread": lambda mask, heads: mask[None, :, None, :]},
        {"spread": lambda mask, heads: mask[:, None, :]},
        {"padding": lambda lengths, m, n: (np.arange(n) < lengths[:, None])[None]},
    ),
)


def _axes_exchanged(scores, allowed):
    """The mask of batch and heads, laid out as heads and batch."""
    if allowed.ndim == 4:
        allowed = np.swapaxes(allowed, 0, 1).reshape(allowed.shape)
    return np.where(allowed, scores, -math.inf)


mask_repeated_in_wrong_order = Misconception(
    id="mask-repeated-in-wrong-order",
    title="The mask is repeated for the heads in the wrong order: batch first, then heads.",
    formula=r"\text{row } b \cdot h + i \text{ has the mask of } b",
    concept="padding-mask",
    ways=(
        {"mask": _axes_exchanged},
        {
            "spread": lambda mask, heads: np.tile(mask, (heads, 1)).reshape(
                mask.shape[0], heads, 1, mask.shape[1]
            )
        },
    ),
)

APPLIED = (
    mask_missing,
    mask_inverted,
    mask_after_softmax,
    mask_multiplied,
    mask_added_raw,
    mask_nan_rows,
    mask_empty_rows_uniform,
    mask_fill_too_small,
    mask_hidden_in_softmax,
)
"""How any mask can be applied wrongly."""
