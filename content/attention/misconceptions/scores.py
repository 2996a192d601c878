"""Mistakes with the scores: their scale, and who is compared with whom and mixed."""

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


def _by_value_width():
    """Remembers how wide the values are, and scales by that."""
    width = []

    def roles(q, k, v):
        width[:] = [v.shape[-1]]
        return q, k, v

    return {"roles": roles, "scale": lambda scores, _width: scores / math.sqrt(width[0])}


scale_by_value_width = Misconception(
    id="scale-by-value-width",
    title="The scores are divided by √d_v, the root of the values' width, not of the queries'.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=(_by_value_width,),
)

scale_by_queries = Misconception(
    id="scale-by-queries",
    title="The scores are divided by the root of the number of queries, not of the width d.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=({"scale": lambda scores, width: scores / math.sqrt(scores.shape[-2])},),
)

scale_by_first_axis = Misconception(
    id="scale-by-first-axis",
    title="The scores are divided by the root of the first axis's length, not of the width d.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=({"scale": lambda scores, width: scores / math.sqrt(scores.shape[0])},),
)

scale_by_constant = Misconception(
    id="scale-by-constant",
    title="The scores are divided by the same number regardless of the width d.",
    formula=r"\frac{QK^T}{\sqrt{d}}",
    concept="scaling",
    ways=tuple(
        {"scale": lambda scores, width, fixed=fixed: scores / math.sqrt(fixed)}
        for fixed in (64, 4, 2, 3, 8, 16, 32, 128, 256, 512, 768, 1024, 4096)
    ),
)

# ── who plays which part ─────────────────────────────────────────────────────────────────────────


def _distances(q, k):
    return -np.sqrt(np.sum((q[..., :, None, :] - k[..., None, :, :]) ** 2, axis=-1))


def _cosines(q, k):
    q, k = (each / np.linalg.norm(each, axis=-1, keepdims=True) for each in (q, k))
    return q @ np.matrix_transpose(k)


def _unscaled(scores, width):
    return scores


query_key_swapped = Misconception(
    id="query-key-swapped",
    title="Queries and keys, or their projections, are swapped.",
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


def _keys_reshaped(q, k):
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


keys_reshaped = Misconception(
    id="keys-reshaped",
    title="The keys are reshaped to (d, n), which mixes up numbers; they should be transposed.",
    formula=r"S = QK^T",
    concept="scores",
    ways=({"scores": _keys_reshaped},),
)

scores_from_distances = Misconception(
    id="scores-from-distances",
    title="Queries and keys are compared by their distance or their angle, not by a dot product.",
    formula=r"S = QK^T",
    concept="dot-product",
    ways=({"scores": _distances}, {"scores": _cosines}, {"scores": _cosines, "scale": _unscaled}),
)

weights_transposed = Misconception(
    id="weights-transposed",
    title="The weights are transposed before they mix the values.",
    formula=r"O_i = \sum_j P_{ij} V_j",
    concept="scaled-dot-product",
    ways=({"aggregate": lambda weights, v: np.matrix_transpose(weights) @ v},),
)

SCALE = (
    scale_missing,
    scale_by_d,
    scale_multiplied,
    scale_after_softmax,
    scale_by_keys,
    scale_by_value_width,
    scale_by_constant,
)

SCALE_BY_LENGTH = (scale_by_queries, scale_by_first_axis)
"""Where queries, keys and the first axis can be told apart by their lengths."""

ROLES = (
    values_are_keys,
    query_key_swapped,
    weights_transposed,
    keys_are_values,
    keys_are_queries,
    keys_reshaped,
    scores_from_distances,
)
