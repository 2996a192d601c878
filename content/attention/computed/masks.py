"""Computed cards about who may attend to whom, how much, and what is gained by fewer pairs."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from studyattn.attention import (
    attention,
    causal_attention,
    grouped_query_attention,
    linear_attention,
    padded_attention,
    softmax,
)
from studyattn.attention.steps import causal, scores
from studyattn.packs.computed import Computed
from studyattn.packs.vector_text import different, numbers, plain, signed


def outputs_changed(draw: Generator) -> Computed:
    tokens = int(draw.integers(4, 12))
    which = int(draw.integers(0, tokens))
    before = draw.normal(size=(tokens, 3))
    after = before.copy()
    after[which] += 1
    differ = causal_attention(before, before, before) != causal_attention(after, after, after)
    return Computed(
        question=(
            f"Causal self-attention over {tokens} tokens. Token {which} (counted from 0) is "
            "replaced. How many of the outputs change?"
        ),
        answer=int(differ.any(axis=1).sum()),
        slips={
            "its own output changes too": tokens - which - 1,
            "these are the tokens that it sees": which + 1,
            "those before it do not see it": tokens,
        },
        explanation=(
            f"Its own and those after it: {tokens} − {which}. Earlier ones do not see it."
        ),
    )


def padded_weight(draw: Generator) -> Computed:
    real, width = sorted(int(size) for size in draw.choice(range(2, 11), size=2, replace=False))
    q, kv = np.zeros((1, 1, 1)), np.ones((1, width, 1))
    weight = padded_attention(q, kv, np.eye(width)[None], np.array([real]))[0, 0, 0]
    return Computed(
        question=(
            f"A sequence of length {real} is padded to {width}. All scores are equal and padding "
            "is masked. What weight does each real key get?"
        ),
        answer=float(weight),
        tolerance=0.005,
        shown=f"1/{real}",
        slips={
            "padding gets no weight": 1 / width,
        },
        explanation=f"The {real} real keys share a weight of 1; padding gets nothing.",
    )


def stable_softmax(draw: Generator) -> Computed:
    top = int(draw.choice([500, 1000, 2000]))
    gap = int(draw.integers(1, 4))
    weights = softmax(np.array([top, top - gap], dtype=np.float64))
    return Computed(
        question=(
            f"What are the softmax weights of the scores ({top}, {top - gap}), to two decimal "
            "places? "
            f"($e^{{-{gap}}} \\approx {np.exp(-gap):.2f}$)"
        ),
        answer=numbers(weights),
        tolerance=0.011,
        slips={
            "the larger score has the larger weight": numbers(weights[::-1]),
            "not divided by the sum": (1.0, float(np.exp(-gap))),
        },
        explanation=(
            f"Subtract the maximum: (0, −{gap}). Then 1 and {np.exp(-gap):.2f}, each divided by "
            f"{1 + np.exp(-gap):.2f}."
        ),
    )


def cross_shape(draw: Generator) -> Computed:
    batch, m, n, d, d_v = different(draw, (2, 3, 4, 5, 6, 7, 8, 10), 5)
    result = attention(np.zeros((batch, m, d)), np.zeros((batch, n, d)), np.zeros((batch, n, d_v)))
    return Computed(
        question=(
            f"Cross-attention: queries `({batch}, {m}, {d})`, keys `({batch}, {n}, {d})`, values "
            f"`({batch}, {n}, {d_v})`. What is the shape of the result?"
        ),
        answer=tuple(result.shape),
        slips={
            "this is the shape of the weights": (batch, m, n),
            "a row for each query, not for each key": (batch, n, d_v),
            "as wide as a value, not as a key": (batch, m, d),
        },
        explanation=f"A row for each of {m} queries, as wide as a value.",
    )


def score_rank(draw: Generator) -> Computed:
    n, width = (int(size) for size in (draw.integers(5, 30), draw.choice([2, 3, 4, 8, 16])))
    q, k = draw.normal(size=(2, n, width))
    return Computed(
        question=(
            f"{n} tokens, a head of width {width}, random queries and keys. What is the rank "
            f"of the {n} × {n} matrix of scores?"
        ),
        answer=int(np.linalg.matrix_rank(scores(q, k))),
        slips={
            "the rank is at most the number of tokens and at most the width": max(n, width),
            "this is the number of entries": n * n,
        },
        explanation=f"At most the width {width}, and at most the number of tokens {n}.",
    )


def pattern_growth(draw: Generator) -> Computed:
    tokens = int(draw.choice([128, 256, 512, 1024]))
    factor = int(draw.choice([2, 3, 4, 10]))
    return Computed(
        question=(
            f"The context grows from {tokens:,} to {factor * tokens:,} tokens. By what factor "
            "does the number of entries in the attention pattern grow?"
        ),
        answer=(factor * tokens) ** 2 // tokens**2,
        slips={
            "rows and columns both grow": factor,
        },
        explanation=f"${factor}^2$: rows and columns both grow. The parameters do not change.",
    )


def window_pairs(draw: Generator) -> Computed:
    window = int(draw.integers(2, 5))
    n = int(draw.integers(window + 1, 10))
    row, column = np.indices((n, n))
    seen = causal(n, n, np.zeros(1)) & (row - column < window)
    return Computed(
        question=(
            f"{n} tokens, causal, each query sees the last {window} keys, including its own. How "
            "many pairs are allowed?"
        ),
        answer=int(seen.sum()),
        slips={
            "the first queries see fewer keys": n * window,
            "the window hides the older keys": n * (n + 1) // 2,
            "its own key counts in the window": int(
                (causal(n, n, np.zeros(1)) & (row - column < window + 1)).sum()
            ),
        },
        explanation=(
            f"The first {window} rows have 1 to {window}; the other {n - window} have "
            f"{window} each."
        ),
    )


def linear_weight(draw: Generator) -> Computed:
    query = int(draw.integers(1, 4))
    keys = draw.choice(range(1, 7), size=2, replace=False).astype(np.float64)
    weight = linear_attention(np.array([[float(query)]]), keys[:, None], np.array([[1.0], [0.0]]))
    return Computed(
        question=(
            f"Linear attention of width 1 with $\\phi(x) = \\mathrm{{elu}}(x) + 1$: the query is "
            f"{query}, the keys are {plain(keys)}. What is the weight of the first key, to two "
            "decimal places?"
        ),
        answer=float(weight[0, 0]),
        tolerance=0.006,
        slips={
            "φ adds 1 to each key": float(keys[0] / keys.sum()),
            "this is the weight of the second key": float((keys[1] + 1) / (keys.sum() + 2)),
        },
        explanation=(
            f"$\\phi$ of the keys: {plain(keys + 1)}. $\\phi(q)$ cancels: "
            f"{keys[0] + 1:g} / {keys.sum() + 2:g}."
        ),
    )


def grouped_key_head(draw: Generator) -> Computed:
    key_heads = int(draw.choice([2, 4, 8]))
    group = int(draw.choice([2, 4, 8]))
    heads = key_heads * group
    head = int(draw.integers(0, heads))
    # Each key head hands over its own number, so the output names the head that was read.
    values = np.arange(key_heads, dtype=np.float64).reshape(1, key_heads, 1, 1)
    read = grouped_query_attention(np.zeros((1, heads, 1, 1)), np.zeros_like(values), values)
    return Computed(
        question=(
            f"{heads} query heads share {key_heads} key heads, neighbors in one group. Which key "
            f"head does query head {head} use (all counted from 0)?"
        ),
        answer=round(float(read[0, head, 0, 0])),
        slips={
            "neighbors share a key head: divide, no remainder": head % key_heads,
            "divide by the size of a group": head // key_heads,
        },
        explanation=f"Groups of {group}: $\\lfloor {head} / {group} \\rfloor$.",
    )


def online_sum(draw: Generator) -> Computed:
    first = sorted(int(score) for score in draw.integers(0, 3, size=2))
    new = first[-1] + int(draw.integers(1, 3))
    shifted = np.exp(np.array([*first, new], dtype=np.float64) - new)
    powers = ", ".join(f"$e^{{-{gap}}} \\approx {np.exp(-gap):.2f}$" for gap in range(1, 5))
    return Computed(
        question=(
            f"Online softmax has seen the scores {first[0]} and {first[1]}. The next is {new}. "
            "What is the running sum then, relative to the new maximum, to one decimal place? "
            f"({powers})"
        ),
        answer=float(shifted.sum()),
        tolerance=0.05,
        slips={
            "the old sum is not rescaled": float(np.exp(np.array(first) - first[-1]).sum() + 1),
            "the new score is missing": float(shifted[:2].sum()),
        },
        explanation=(
            f"The old sum times $e^{{{first[-1]} - {new}}}$, plus $e^0 = 1$: "
            f"{shifted[:2].sum():.2f} + 1."
        ),
    )


def softmax_derivative(draw: Generator) -> Computed:
    weight = float(draw.choice([0.1, 0.2, 0.3, 0.5, 0.8, 0.9, 0.99]))
    p = softmax(np.log(np.array([weight, 1 - weight])))
    return Computed(
        question=(
            f"A softmax weight is {weight:g}. What is its derivative with respect to its own "
            "score, to two decimal places?"
        ),
        answer=float(p[0] * (1 - p[0])),
        tolerance=0.006,
        slips={
            "p(1 − p), not p²": weight**2,
            "p(1 − p): the factor p is missing": 1 - weight,
        },
        explanation=f"$p(1 - p) = {weight:g} \\cdot {1 - weight:.2g}$.",
    )


def largest_derivative(draw: Generator) -> Computed:
    lead = int(draw.integers(1, 6))
    p = softmax(np.array([lead, 0], dtype=np.float64))
    return Computed(
        question=(
            f"Two keys; the first leads by {lead} in score, so that its weight is "
            f"$p \\approx {p[0]:.4f}$. How many times smaller than at $p = 1/2$ is the derivative "
            "$p(1-p)$, to one decimal place?"
        ),
        answer=float(0.25 / (p[0] * p[1])),
        tolerance=0.11,
        slips={
            "the other way around: 1/4 divided by p(1 − p)": float(p[0] * p[1] / 0.25),
            "this is p(1 − p)": float(p[0] * p[1]),
        },
        explanation=f"$p(1-p) \\approx {p[0] * p[1]:.4f}$, and 1/4 at its largest.",
    )


def top_left_keys(draw: Generator) -> Computed:
    m = int(draw.integers(2, 5))
    n = m + int(draw.integers(1, 5))
    query = int(draw.integers(1, m))
    return Computed(
        question=(
            f"`F.scaled_dot_product_attention(q, k, v, is_causal=True)` gets {m} queries and {n} "
            f"keys. How many keys does query {query} (counted from 0) see?"
        ),
        answer=int(np.tri(m, n)[query].sum()),
        slips={
            "PyTorch's mask begins at the top left": int(causal(m, n, np.zeros(1))[query].sum()),
            "its own key counts too": query,
        },
        explanation=(
            f"Keys 0 to {query}. Beside a cache of {n - m} it should see "
            f"{int(causal(m, n, np.zeros(1))[query].sum())}."
        ),
    )


def edges_out(draw: Generator) -> Computed:
    n = int(draw.integers(5, 12))
    token = int(draw.integers(1, n - 1))
    return Computed(
        question=(
            f"The causal mask of {n} tokens as a graph: how many edges lead from token {token} "
            "(counted from 0) to the tokens that read it, including its own loop?"
        ),
        answer=int(causal(n, n, np.zeros(1))[:, token].sum()),
        slips={
            "these are the edges into it": token + 1,
            "its own loop counts too": n - token - 1,
        },
        explanation=f"Tokens {token} to {n - 1} may look at it: column {token} of the mask.",
    )


def encoder_decoder_pairs(draw: Generator) -> Computed:
    source, target = (int(size) for size in draw.choice([2, 3, 4, 5], size=2, replace=False))
    own = int(causal(target, target, np.zeros(1)).sum())
    return Computed(
        question=(
            f"An encoder–decoder has {source} source tokens and {target} target tokens. How many "
            "query–key pairs may attend in its three kinds of attention in total, one head each?"
        ),
        answer=source * source + target * source + own,
        slips={
            "the decoder is causal": source * source + target * source + target * target,
            "the cross-attention is missing": source * source + own,
            "the encoder reads both ways": source * (source + 1) // 2 + target * source + own,
        },
        explanation=(
            f"Encoder, both ways: {source * source}. Cross-attention: {target} · {source} = "
            f"{target * source}. Decoder, causal: {own}."
        ),
    )


def induction_position(draw: Generator) -> Computed:
    letters = draw.permutation(list("ABCDEFG"))[: int(draw.integers(4, 7))]
    earlier = int(draw.integers(0, len(letters) - 1))
    return Computed(
        question=(
            f"A text is “{' '.join([*letters, letters[earlier]])}”. To which position (counted "
            "from 0) does an induction head attend at the last token?"
        ),
        answer=earlier + 1,
        slips={
            "there it was before; the head looks at what followed": earlier,
        },
        explanation=(
            f"“{letters[earlier]}” was at {earlier}; the head looks at what followed it, "
            f"“{letters[earlier + 1]}”."
        ),
    )


def diluted_weight(draw: Generator) -> Computed:
    lead = int(draw.choice([2, 3, 4]))
    keys = int(draw.choice([10, 100, 1000]))
    weight = float(softmax(np.array([lead, *[0] * (keys - 1)], dtype=np.float64))[0])
    power = f"{np.exp(lead):.3g}"
    return Computed(
        question=(
            f"One key leads all others by {lead} in score ($e^{lead} \\approx {power}$). About "
            f"what weight does it get among {keys:,} keys?"
        ),
        answer=weight,
        tolerance=0.1 * weight,
        slips={
            "e to the lead, not the lead itself": lead / (lead + keys - 1),
            "each other key has e⁰ = 1": float(np.exp(lead) / (np.exp(lead) + 1)),
        },
        explanation=f"{power} / ({power} + {keys - 1:,}).",
    )


def similarity_average(draw: Generator) -> Computed:
    shares = ((1.0, 3.0, 6.0), (1.0, 4.0, 5.0), (2.0, 3.0, 5.0))
    kappa = draw.permutation(shares[int(draw.integers(0, len(shares)))])
    values = draw.choice(np.arange(-5.0, 6.0), size=3, replace=False)
    products = " + ".join(f"{a:g}·{signed(b)}" for a, b in zip(kappa, values, strict=True))
    return Computed(
        question=(
            f"A query has the similarities {plain(kappa)} to three keys; their values are "
            f"{plain(values)}. What does attention with these similarities return?"
        ),
        answer=round(float(kappa @ values / kappa.sum()), 6),
        slips={
            "not divided by the sum of the similarities": float(kappa @ values),
            "this is the mean without similarities": float(values.mean()),
        },
        explanation=f"({products}) / {kappa.sum():g}: divided by the sum of the similarities.",
    )
