"""Mistakes with the softmax, which turns scores into weights."""

import dataclasses
import math

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception

from .scores import ROLES, SCALE

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


def _of_everything(scores, seen):
    return np.max(scores, where=seen, initial=-math.inf)


def _of_a_matrix(scores, seen):
    axes = tuple(range(scores.ndim))[-2:]
    return np.max(scores, axis=axes, keepdims=True, where=seen, initial=-math.inf)


def _at_least_zero(scores, seen):
    return np.max(scores, axis=-1, keepdims=True, where=seen, initial=0.0)


def _of_a_column(scores, seen):
    axis = -2 if scores.ndim > 1 else -1
    return np.max(scores, axis=axis, keepdims=True, where=seen, initial=-math.inf)


def _hard(scores, *, shared):
    """1 for the largest of a row; `shared` by all that are as large."""
    if shared:
        best = scores == np.max(scores, axis=-1, keepdims=True)
        return best / np.sum(best, axis=-1, keepdims=True)
    return (np.argmax(scores, axis=-1)[..., None] == np.arange(scores.shape[-1])) * 1.0


def _sigmoid_shares(scores):
    weights = 1.0 / (1.0 + np.exp(-scores))
    return weights / np.sum(weights, axis=-1, keepdims=True)


def _with_base(base):
    """A softmax of powers of `base`, which is one of e for scores as much larger."""
    return {"normalise": lambda scores: _softmax(scores * math.log(base), -1)}


def _with_epsilon(number):
    """`number` is added to the sum, whose largest exponential is 1."""

    def normalise(scores):
        exponentials = _exponentials(scores)
        return exponentials / (np.sum(exponentials, axis=-1, keepdims=True) + number)

    return {"normalise": normalise}


softmax_missing = Misconception(
    id="softmax-missing",
    title="The scores are used as weights directly: there is no softmax.",
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
    title="The softmax runs over the heads or another axis, not over the keys.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=(*_along(-3), *_along(1)),
)

softmax_over_batch = Misconception(
    id="softmax-over-batch",
    title="The softmax runs over the first axis, not over the keys.",
    formula=r"\sum_j \text{softmax}(S)_{ij} = 1",
    concept="softmax",
    ways=_along(0),
)

softmax_global = Misconception(
    id="softmax-global",
    title="The sum runs over many rows: a whole matrix or array sums to 1, not each row.",
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
    title="The scores are divided by their sum without the exponential.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=({"normalise": lambda scores: scores / np.sum(scores, axis=-1, keepdims=True)},),
)

softmax_dropped = Misconception(
    id="softmax-dropped",
    title="The scores are ignored: queries and keys make no difference to the weights.",
    formula=r"\text{softmax}(S)\,V",
    concept="softmax",
    ways=(
        {"normalise": lambda scores: np.full(scores.shape, 1.0 / scores.shape[-1])},
        # With the softmax as it is: of another one nothing is seen if all scores are equal.
        {
            "scale": lambda scores, width: np.zeros(scores.shape),
            "normalise": STEPS.normalise,
        },
    ),
)


def _first_keys(count):
    return lambda q, k, v: (q, k[..., :count, :], v[..., :count, :])


def _last_keys(count):
    return lambda q, k, v: (q, k[..., -count:, :], v[..., -count:, :])


keys_limited = Misconception(
    id="keys-limited",
    title="Only a fixed number of keys is used; there can be any number.",
    formula=r"O_i = \sum_{j=1}^{n} P_{ij} V_j",
    concept="weighted-sum",
    ways=(
        *({"roles": _first_keys(count)} for count in (64, 128, 256, 512, 1024, 2048)),
        *({"roles": _last_keys(count)} for count in (256, 512, 1024, 2048)),
    ),
)

last_key_skipped = Misconception(
    id="last-key-skipped",
    title="The last key and its value are left out.",
    formula=r"O_i = \sum_{j=1}^{n} P_{ij} V_j",
    concept="weighted-sum",
    ways=({"roles": _first_keys(-1)},),
)


def _causal_by_habit(top_left):
    def weigh(scores, width, allowed, steps):
        m, n = scores.shape[-2:]
        seen = np.tri(m, n, 0 if top_left else n - m, dtype=bool)
        return STEPS.weigh(scores, width, seen, steps)

    return {"weigh": weigh}


causal_by_habit = Misconception(
    id="causal-by-habit",
    title="A causal mask hides later keys; nothing is hidden here.",
    formula=r"\text{softmax}\left(\frac{QK^T}{\sqrt{d}}\right)V",
    concept="weighted-sum",
    ways=(_causal_by_habit(top_left=True), _causal_by_habit(top_left=False)),
)

UNMASKED = (keys_limited, last_key_skipped, causal_by_habit)
"""Those that can be made where every query sees every key."""


softmax_underflow = Misconception(
    id="softmax-underflow",
    title=(
        "A number above the row's largest score is subtracted, so a whole row can underflow to 0."
    ),
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i - \max s}}{\sum_j e^{s_j - \max s}}",
    concept="numerical-stability",
    ways=tuple(
        _relative_to(chosen, instead)
        for chosen in (_of_everything, _of_a_matrix, _largest_size, _at_least_zero)
        for instead in (0.0, 1.0)
    ),
)

softmax_underflow_of_a_row = dataclasses.replace(
    softmax_underflow,
    ways=tuple(
        _relative_to(chosen, instead)
        for chosen in (_largest_size, _at_least_zero)
        for instead in (0.0, 1.0)
    ),
)
"""The same where there is one row."""

softmax_maximum_wrong_axis = Misconception(
    id="softmax-maximum-wrong-axis",
    title="The column's maximum is subtracted, not the row's.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i - \max s}}{\sum_j e^{s_j - \max s}}",
    concept="numerical-stability",
    ways=tuple(_relative_to(_of_a_column, instead) for instead in (0.0, 1.0)),
)

softmax_hard = Misconception(
    id="softmax-hard",
    title="All the weight goes to the largest score: that is an argmax, not a softmax.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=(
        {"normalise": lambda scores: _hard(scores, shared=False)},
        {"normalise": lambda scores: _hard(scores, shared=True)},
    ),
)

softmax_sigmoid = Misconception(
    id="softmax-sigmoid",
    title="Each score goes through a sigmoid; softmax divides exponentials by their sum.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=(
        {"normalise": lambda scores: 1.0 / (1.0 + np.exp(-scores))},
        {"normalise": _sigmoid_shares},
    ),
)

softmax_other_base = Misconception(
    id="softmax-other-base",
    title="The base of the exponential is 2 or 10; it should be e.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=tuple(_with_base(base) for base in (2.0, 10.0)),
)

softmax_divided_by_count = Misconception(
    id="softmax-divided-by-count",
    title="The exponentials are divided by their count, not by their sum.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=(
        {"normalise": lambda scores: np.exp(scores) / scores.shape[-1]},
        {"normalise": lambda scores: _exponentials(scores) / scores.shape[-1]},
    ),
)

softmax_of_negative = Misconception(
    id="softmax-of-negative",
    title="The sign is wrong: the smallest score gets the largest weight.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=({"normalise": lambda scores: _softmax(-scores, -1)},),
)


def _clamped(low, high):
    return lambda scores, width: np.clip(scores / math.sqrt(width), low, high)


softmax_clamped = Misconception(
    id="softmax-clamped",
    title="The scores are clipped, so all scores beyond the bound count the same.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i - \max s}}{\sum_j e^{s_j - \max s}}",
    concept="numerical-stability",
    ways=(
        *(
            {"normalise": lambda scores, low=low, high=high: _no_peak(np.clip(scores, low, high))}
            for bound in (10.0, 20.0, 30.0, 50.0, 60.0, 80.0)
            for low, high in ((-bound, bound), (-math.inf, bound))
        ),
        *({"scale": _clamped(-most, most)} for most in (10, 20, 50, 80, 1e2, 1e3, 1e4, 1e5, 1e6)),
        *({"scale": _clamped(-np.inf, most)} for most in (10, 20, 50, 80)),
    ),
)

softmax_epsilon = Misconception(
    id="softmax-epsilon",
    title="A small number is added to the sum: the weights sum to less than 1.",
    formula=r"\text{softmax}(s)_i = \frac{e^{s_i}}{\sum_j e^{s_j}}",
    concept="softmax",
    ways=tuple(_with_epsilon(10.0**-digits) for digits in range(2, 13)),
)


def _titled(misconception, title):
    return dataclasses.replace(misconception, title=title)


ROWS_WRONG = (
    softmax_underflow,
    softmax_maximum_wrong_axis,
    softmax_hard,
    softmax_sigmoid,
    softmax_other_base,
    softmax_divided_by_count,
    softmax_of_negative,
    softmax_clamped,
    softmax_epsilon,
)
"""What else can be done to a row of scores in the place of a softmax."""

OF_ROWS = (
    _titled(softmax_missing, "The input is returned unchanged: there is no softmax."),
    _titled(
        softmax_wrong_axis,
        "The softmax runs over the second-to-last axis: each column sums to 1, not each row.",
    ),
    softmax_unstable,
    softmax_global,
    _titled(softmax_over_batch, "The softmax runs over the first axis, not over the last."),
    _titled(softmax_over_heads, "The softmax does not run over the last axis."),
    _titled(
        softmax_not_divided,
        "The exponentials are not divided by their sum: the rows do not sum to 1.",
    ),
    softmax_without_exponential,
    _titled(
        dataclasses.replace(softmax_dropped, ways=softmax_dropped.ways[:1]),
        "Every entry of a row gets the same share: the exponentials are not used.",
    ),
    *ROWS_WRONG,
)
"""The same mistakes in a softmax alone, where there are neither queries nor keys nor heads."""

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
    *ROWS_WRONG,
)

WITHOUT_HEADS = (
    *SCALE,
    *(each for each in SOFTMAX if each is not softmax_over_heads),
    *ROLES,
)
"""Those that can be made where there is a batch and no heads."""

OF_ONE_SEQUENCE = tuple(each for each in WITHOUT_HEADS if each is not softmax_over_batch)
"""Those that can be made where there is no batch either."""

ATTENTION = (*SCALE, *SOFTMAX, *ROLES)
"""Those that can be made wherever queries attend to keys."""
