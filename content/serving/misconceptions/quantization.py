"""Mistakes with quantized weights and a quantized cache."""

import math

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from ..reference import quantization as right
from ..shared import softmax

GROUPS = "quantization-groups"
CACHE = "int8-cache"
SCALE = r"s = \frac{\max_i |w_i|}{2^{b-1} - 1}"
ROUNDED = r"q = \text{round}(w / s)"
SUM = r"y_j = \sum_G s_{G j} \sum_{i \in G} x_i q_{i j}"
ROUNDED_ROW = r"\hat k_t = \text{round}(k_t / s_t)"
SCALE_OF_ROW = r"s_t = \frac{\max_i |k_{t i}|}{127}"


def _interleaved(rows, group):
    return rows.reshape(group, -1, rows.shape[-1]).swapaxes(0, 1)


def _interleaved_back(w, group, bits=8, *, steps=right.LINEAR):
    count = w.shape[0] // group
    q, scales = right.quantize(_interleaved(w, group).reshape(w.shape), group, bits)
    return q.reshape(count, group, -1).swapaxes(0, 1).reshape(w.shape), scales


def _first_scale_only(products, scales):
    return products * scales[:1]


def _mean_scale(products, scales):
    return products * scales.mean(axis=0)


quantize_truncates = Misconception(
    id="quantize-truncates",
    title="The quotients are cut off or rounded down, not rounded to the nearest number.",
    formula=ROUNDED,
    concept="quantization",
    ways=({"whole": np.trunc}, {"whole": np.floor}),
)

quantize_levels = Misconception(
    id="quantize-levels",
    title="The largest weight should become the largest whole number, 127 for 8 bits.",
    formula=SCALE,
    concept="quantization",
    ways=(
        {"levels": lambda bits: 2 ** (bits - 1)},
        {"levels": lambda bits: 2**bits - 1},
        {"levels": lambda bits: 2**bits},
        {"levels": lambda bits: (2**bits - 1) / 2},
    ),
)

quantize_bits_ignored = Misconception(
    id="quantize-bits-ignored",
    title="The number of bits is ignored: 4 bits have whole numbers up to 7, not up to 127.",
    formula=SCALE,
    concept=GROUPS,
    ways=({"levels": lambda bits: 127},),
)

quantize_sign_lost = Misconception(
    id="quantize-sign-lost",
    title="The largest weight is taken, not the largest absolute value: −5 is larger than 3 here.",
    formula=SCALE,
    concept="quantization",
    ways=(
        {"peak": lambda groups: groups.max(axis=-2)},
        {
            "peak": lambda groups: groups.max(axis=-2),
            "divide": lambda numbers, scale: numbers / np.where(scale == 0, 1, scale),
        },
    ),
)

quantize_one_scale = Misconception(
    id="quantize-one-scale",
    title="The scales are not one per group and column: a large weight elsewhere sets them, too.",
    formula=SCALE,
    concept=GROUPS,
    ways=(
        {"peak": lambda groups: np.full_like(groups[:, 0, :], np.abs(groups).max())},
        {
            "peak": lambda groups: np.broadcast_to(
                np.abs(groups).max(axis=(0, 1)), groups[:, 0, :].shape
            )
        },
        {
            "peak": lambda groups: np.broadcast_to(
                np.abs(groups).max(axis=(1, 2))[:, None], groups[:, 0, :].shape
            )
        },
    ),
)

quantize_groups_interleaved = Misconception(
    id="quantize-groups-interleaved",
    title="A group should be neighboring inputs; here it takes every n-th one.",
    formula=SUM,
    concept=GROUPS,
    ways=({"quantize": _interleaved_back},),
)

quantize_scale_missing = Misconception(
    id="quantize-scale-missing",
    title="The product is not multiplied by the scales, so it is in units of whole numbers.",
    formula=SUM,
    concept="quantization",
    ways=({"rescale": lambda products, scales: products},),
)

quantize_scale_divides = Misconception(
    id="quantize-scale-divides",
    title="The product is divided by the scales; dividing was for quantizing.",
    formula=SUM,
    concept="quantization",
    ways=({"rescale": np.divide},),
)

quantize_first_scale = Misconception(
    id="quantize-first-scale",
    title="All groups are summed with one scale; each group should get its own before the sum.",
    formula=SUM,
    concept=GROUPS,
    ways=({"rescale": _first_scale_only}, {"rescale": _mean_scale}),
)

quantize_floats_kept = Misconception(
    id="quantize-floats-kept",
    title="More is kept than whole numbers and scales: let go of the weights as numbers.",
    formula=ROUNDED,
    concept=GROUPS,
    sign=Sign.COST,
)

OF_LINEAR = (
    quantize_floats_kept,
    quantize_truncates,
    quantize_levels,
    quantize_bits_ignored,
    quantize_sign_lost,
    quantize_one_scale,
    quantize_groups_interleaved,
    quantize_scale_missing,
    quantize_scale_divides,
    quantize_first_scale,
)


# ── a cache in int8 ──────────────────────────────────────────────────────────────────────────────


def _of_chunk(rows):
    peak = np.abs(rows).max(axis=(-1, -2), keepdims=True) / 127
    return np.broadcast_to(peak, (*rows.shape[:-1], 1))


def _of_all_heads(rows):
    peak = np.abs(rows).max(axis=(-1, -3), keepdims=True) / 127
    return np.broadcast_to(peak, (*rows.shape[:-1], 1))


def _signed(rows):
    return rows.max(axis=-1, keepdims=True) / 127


class _KeyScales(right.Int8Cache):
    """The values are given the scales of the keys."""

    def attend(self, q):
        return self._mixed(q, self._of_keys)

    def _mixed(self, q, scales):
        weights = softmax(right.scores(q, self._keys.astype(q.dtype), self._of_keys))
        return right.mix(weights, self._values.astype(q.dtype), scales)


class _AfterTheSum(_KeyScales):
    """The values' scales are applied to the sum: the last token's, or their mean."""

    def attend(self, q):
        return self._mixed(q, self._of_values[..., -1:, :])


class _MeanAfterTheSum(_KeyScales):
    def attend(self, q):
        return self._mixed(q, self._of_values.mean(axis=-2, keepdims=True))


class _Replaced(right.Int8Cache):
    """Only the last chunk is there."""

    def append(self, k, v):
        self._keys = self._values = self._of_keys = self._of_values = None
        super().append(k, v)


class _Fresh(right.Int8Cache):
    """Its old tokens are quantized again with the scale of everything."""

    def append(self, k, v):
        if self._keys is not None:
            k = np.concatenate([self._keys * self._of_keys, k], axis=-2)
            v = np.concatenate([self._values * self._of_values, v], axis=-2)
        self._keys = self._values = None
        self._of_keys = self._of_values = None
        steps = self._steps
        for name, rows in (("keys", k), ("values", v)):
            scales = _of_chunk(rows)
            q = steps.whole(right.quotient(rows, np.broadcast_to(scales, rows.shape)))
            setattr(self, f"_{name}", q.astype(np.int8))
            setattr(self, f"_of_{name}", scales)


class _Unrounded(right.Int8Cache):
    """It attends to the numbers as they were."""

    def append(self, k, v):
        super().append(k, v)
        plain = getattr(self, "_plain", (None, None))
        self._plain = right.add(plain[0], k), right.add(plain[1], v)

    def attend(self, q):
        k, v = self._plain
        return softmax(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])) @ v


def _in_front(old, new):
    return new if old is None else np.concatenate([new, old], axis=-2)


cache_scale_of_chunk = Misconception(
    id="int8-scale-of-chunk",
    title="Several tokens or heads share a scale; each token and head should have its own.",
    formula=SCALE_OF_ROW,
    concept=CACHE,
    ways=({"of_token": _of_chunk}, {"of_token": _of_all_heads}),
)

cache_requantized = Misconception(
    id="int8-requantized",
    title="Old tokens are quantized again when new ones arrive; what is kept should not change.",
    formula=SCALE_OF_ROW,
    concept=CACHE,
    ways=({"Int8Cache": _Fresh},),
)

cache_key_scale_missing = Misconception(
    id="int8-key-scale-missing",
    title="The keys' scales are missing from the scores.",
    formula=r"s_{i t} = \frac{s_t \; q_i \cdot \hat k_t}{\sqrt{d}}",
    concept=CACHE,
    ways=({"scores": lambda q, keys, scales: q @ keys.swapaxes(-1, -2) / math.sqrt(q.shape[-1])},),
)

cache_value_scale_missing = Misconception(
    id="int8-value-scale-missing",
    title="The values' scales are missing from the weighted sum.",
    formula=r"o = \sum_t a_t s_t \hat v_t",
    concept=CACHE,
    ways=({"mix": lambda weights, values, scales: weights @ values},),
)

cache_scale_after_sum = Misconception(
    id="int8-scale-after-sum",
    title="The values get one scale after their sum; each token's value has its own, inside it.",
    formula=r"o = \sum_t a_t s_t \hat v_t",
    concept=CACHE,
    ways=({"Int8Cache": _AfterTheSum}, {"Int8Cache": _MeanAfterTheSum}),
)

cache_scales_of_keys = Misconception(
    id="int8-scales-of-keys",
    title="The values are multiplied by the scales of the keys; they have their own.",
    formula=r"o = \sum_t a_t s_t \hat v_t",
    concept=CACHE,
    ways=({"Int8Cache": _KeyScales},),
)

cache_truncates = Misconception(
    id="int8-truncates",
    title="The quotients are cut off or rounded down, not rounded to the nearest number.",
    formula=r"\hat k = \text{round}(k / s)",
    concept="quantization",
    ways=({"whole": np.trunc}, {"whole": np.floor}),
)

cache_levels = Misconception(
    id="int8-levels",
    title="The largest entry of a token should become 127.",
    formula=SCALE_OF_ROW,
    concept="quantization",
    ways=tuple(
        {"of_token": lambda rows, n=n: np.abs(rows).max(axis=-1, keepdims=True) / n}
        for n in (128, 255, 256)
    ),
)

cache_sign_lost = Misconception(
    id="int8-sign-lost",
    title="The scale is taken from the largest entry, not from the largest absolute value.",
    formula=SCALE_OF_ROW,
    concept="quantization",
    ways=({"of_token": _signed},),
)

cache_order = Misconception(
    id="int8-order",
    title="New tokens should come behind those that are kept; here they replace or precede them.",
    formula=r"K \leftarrow [K; k]",
    concept=CACHE,
    ways=({"Int8Cache": _Replaced}, {"add": _in_front}),
)

cache_unrounded = Misconception(
    id="int8-unrounded",
    title="It attends to the numbers as they came; it should use what is kept in int8.",
    formula=r"s_{i t} = \frac{s_t \; q_i \cdot \hat k_t}{\sqrt{d}}",
    concept=CACHE,
    ways=({"Int8Cache": _Unrounded},),
)

cache_scale_of_scores = Misconception(
    id="int8-root-missing",
    title="The scores are not divided by √d.",
    formula=r"s_{i t} = \frac{s_t \; q_i \cdot \hat k_t}{\sqrt{d}}",
    concept=CACHE,
    ways=({"scores": lambda q, keys, scales: q @ keys.swapaxes(-1, -2) * scales.swapaxes(-1, -2)},),
)

cache_floats_kept = Misconception(
    id="int8-floats-kept",
    title="More is kept than whole numbers and scales: round each token when it arrives.",
    formula=ROUNDED_ROW,
    concept=CACHE,
    sign=Sign.COST,
)

OF_CACHE = (
    cache_scale_of_chunk,
    cache_key_scale_missing,
    cache_value_scale_missing,
    cache_scale_after_sum,
    cache_scales_of_keys,
    cache_truncates,
    cache_levels,
    cache_sign_lost,
    cache_order,
    cache_requantized,
    cache_unrounded,
    cache_scale_of_scores,
    cache_floats_kept,
)
