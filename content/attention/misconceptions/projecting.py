"""Mistakes with projections, of one sequence and from one to another."""

from studyattn.attention import STEPS, trace_head
from studyattn.grading.misconception import Misconception


def _one_matrix(choose):
    """All three projections through the matrix that `choose` takes of w_q, w_k, w_v."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        w = choose(w_q, w_k, w_v)
        return steps.project(x, w), steps.project(context, w), steps.project(context, w)

    return {"qkv": qkv}


def _from(queries, keys, values):
    """Where queries, keys and values are taken from, each `x` or `context`."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        source = {"x": x, "context": context}
        return (
            steps.project(source[queries], w_q),
            steps.project(source[keys], w_k),
            steps.project(source[values], w_v),
        )

    return {"qkv": qkv}


def _projected(order):
    """The matrices in another order."""

    def qkv(x, context, w_q, w_k, w_v, steps):
        first, second, third = ({"q": w_q, "k": w_k, "v": w_v}[name] for name in order)
        return (
            steps.project(x, first),
            steps.project(context, second),
            steps.project(context, third),
        )

    return {"qkv": qkv}


def _unprojected(x, context, w_q, w_k, w_v, steps):
    return x, context, context


def _scaled_in_trace(x, w_q, w_k, w_v, *, steps=STEPS):
    q, k, v, raw, weights, mixed = trace_head(x, w_q, w_k, w_v, steps=steps)
    return q, k, v, steps.scale(raw, q.shape[-1]), weights, mixed


projection_transposed = Misconception(
    id="projection-transposed",
    title="The weights are transposed before they are used: they are (d_in, d_out), as in x @ w.",
    formula=r"Q = X W_Q",
    concept="projections",
    ways=(
        {"project": lambda x, w: x @ w.T},
        {"project": lambda x, w: x @ w.T, "output": lambda x, w: x @ w.T},
        {"low_rank": lambda x, down, up: (x @ up.T) @ down.T},
        {
            "project": lambda x, w: x @ w.T,
            "low_rank": lambda x, down, up: (x @ up.T) @ down.T,
        },
    ),
)

projection_shared = Misconception(
    id="projection-shared",
    title="One projection is used for several of queries, keys and values; each has its own.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=(
        _one_matrix(lambda w_q, w_k, w_v: w_q),
        _one_matrix(lambda w_q, w_k, w_v: w_k),
        _one_matrix(lambda w_q, w_k, w_v: w_v),
        _projected("qqv"),
        _projected("kkv"),
    ),
)

projections_in_wrong_order = Misconception(
    id="projections-in-wrong-order",
    title="The projections are in the wrong order.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=(_projected("qvk"), _projected("vkq"), _projected("kvq"), _projected("vqk")),
)

projection_missing = Misconception(
    id="projection-missing",
    title="The tokens are used directly: nothing is projected.",
    formula=r"Q = X W_Q, \; K = X W_K, \; V = X W_V",
    concept="projections",
    ways=({"qkv": _unprojected},),
)

values_not_projected = Misconception(
    id="values-not-projected",
    title="The weights mix the tokens themselves, not their values X W_V.",
    formula=r"V = X W_V",
    concept="projections",
    ways=(
        {
            "qkv": lambda x, context, w_q, w_k, w_v, steps: (
                steps.project(x, w_q),
                steps.project(context, w_k),
                context,
            )
        },
    ),
)

scores_scaled_in_trace = Misconception(
    id="scores-scaled-in-trace",
    title="The returned scores are scaled; return the raw scores.",
    formula=r"S = Q K^T, \; P = \text{softmax}\left(\frac{S}{\sqrt{d}}\right)",
    concept="worked-example",
    ways=({"trace_head": _scaled_in_trace},),
)

# ── from one sequence to another ─────────────────────────────────────────────────────────────────

cross_attends_to_itself = Misconception(
    id="cross-attends-to-itself",
    title="Queries, keys and values come from one sequence: it attends to itself.",
    formula=r"Q = X W_Q, \; K = C W_K, \; V = C W_V",
    concept="cross-attention",
    ways=(_from("x", "x", "x"), _from("context", "context", "context")),
)

cross_roles_swapped = Misconception(
    id="cross-roles-swapped",
    title="The context asks and x answers; it should be the other way around.",
    formula=r"Q = X W_Q, \; K = C W_K, \; V = C W_V",
    concept="cross-attention",
    ways=(_from("context", "x", "x"),),
)

cross_values_from_x = Misconception(
    id="cross-values-from-x",
    title="Only the keys come from the context; the values come from x.",
    formula=r"V = C W_V",
    concept="cross-attention",
    ways=(_from("x", "context", "x"),),
)

cross_keys_from_x = Misconception(
    id="cross-keys-from-x",
    title="Only the values come from the context; the keys come from x.",
    formula=r"K = C W_K",
    concept="cross-attention",
    ways=(_from("x", "x", "context"),),
)

PROJECTIONS = (
    projection_transposed,
    projection_shared,
    projections_in_wrong_order,
    projection_missing,
    values_not_projected,
)

CROSS = (
    cross_attends_to_itself,
    cross_roles_swapped,
    cross_values_from_x,
    cross_keys_from_x,
)
