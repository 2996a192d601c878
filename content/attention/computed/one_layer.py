"""Computed cards of one layer: softmax, scores, scaling, weighted sums, masks, heads."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from studyattn.attention import (
    attend,
    causal_attention,
    head_updates,
    masked_attention,
    softmax,
    split_heads,
)
from studyattn.attention.steps import causal, scale, scores
from studyattn.packs.computed import Computed
from studyattn.packs.vector_text import different, numbers, plain, rounded, signed

BY_HAND = 0.011  # two places, of powers that were rounded to two places themselves


# ── softmax and scores ───────────────────────────────────────────────────────────────────────────


def softmax_row(draw: Generator) -> Computed:
    row = draw.choice([0.0, 0.0, 1.0, 1.0, 2.0, 2.0], size=3, replace=False)  # never all equal
    weights = softmax(row)
    powers = np.exp(row)
    return Computed(
        question=(
            f"What is the softmax of the scores $({plain(row)})$, to two decimal places? "
            "($e \\approx 2.72$, $e^2 \\approx 7.39$)"
        ),
        answer=numbers(weights),
        tolerance=BY_HAND,
        slips={
            "not divided by the sum": numbers(powers),
            "e to each score is missing": numbers(row / max(row.sum(), 1.0)),
        },
        explanation=(
            f"$e$ to each score: {rounded(powers)}; their sum is {powers.sum():.3f}. "
            "Divide each by the sum."
        ),
    )


def softmax_ratio(draw: Generator) -> Computed:
    low = int(draw.integers(-3, 4))
    gap = int(draw.integers(1, 4))
    weights = softmax(np.array([low + gap, low], dtype=np.float64))
    return Computed(
        question=(
            f"Two scores of one row are {low + gap} and {low}. How many times as much weight does "
            "the first get? ($e \\approx 2.72$)"
        ),
        answer=float(weights[0] / weights[1]),
        tolerance=0.02 * float(weights[0] / weights[1]),
        slips={
            "this is the difference; the ratio is e to it": float(gap),
        },
        explanation=(
            f"Only the difference counts: {low + gap} − {signed(low)} = {gap}, so $e^{{{gap}}}$."
        ),
    )


def sharp_look_up(draw: Generator) -> Computed:
    """Draw keys of which one leads by far, so that only its value is left."""
    lead = 0.0
    while lead < 2:
        direction = draw.choice([-2.0, -1.0, 1.0, 2.0], size=2)
        keys = draw.integers(-2, 4, size=(3, 2)).astype(np.float64)
        matches = np.sort(keys @ direction)
        lead = matches[2] - matches[1]
    query = 20 * direction
    values = draw.choice(np.arange(10.0, 100.0, 10.0), size=3, replace=False)
    rows = ", ".join(f"$({plain(key)})$" for key in keys)
    return Computed(
        question=(
            f"The query $({plain(query)})$ meets the keys {rows}; their values are "
            f"{plain(values)}. What does attention return, rounded to a whole number?"
        ),
        answer=round(float(attend(query, keys, values[:, None])[0])),
        slips={
            "this is the mean of all values": float(values.mean()),
            "this is the dot product of the best key": float((keys @ query).max()),
        },
        explanation=(
            f"The dot products are {plain(keys @ query)}: with such a lead, the best key gets all "
            "of the weight."
        ),
    )


def largest_weight(draw: Generator) -> Computed:
    """Row and column of the largest weight, which often differ from those of the largest score."""
    leads = draw.permutation([1, 4])  # how far the first key of each row is ahead
    tops = draw.permutation([5, 8])
    table = np.array([[top, top - lead, top - lead] for top, lead in zip(tops, leads, strict=True)])
    table = draw.permuted(table.astype(np.float64), axis=1)
    weights = softmax(table)
    row, column = np.unravel_index(int(weights.argmax()), weights.shape)
    return Computed(
        question=(
            f"Two queries score three keys $({plain(table[0])})$ and $({plain(table[1])})$. Where "
            "in the pattern is the largest weight? Give row and column, counted from 0."
        ),
        answer=(int(row), int(column)),
        slips={
            "there is the largest score": tuple(
                int(at) for at in np.unravel_index(int(table.argmax()), table.shape)
            ),
            "column and row are exchanged": (int(column), int(row)),
        },
        explanation=(
            f"Row {row} has the larger lead, 4 against 1: its best key gets "
            f"{weights.max():.2f}, the other row's best key {weights.max(axis=1).min():.2f}."
        ),
    )


def pattern_shape(draw: Generator) -> Computed:
    batch, heads, m, n, d = different(draw, (2, 3, 4, 5, 6, 7, 9, 12), 5)
    pattern = scores(np.zeros((batch, heads, m, d)), np.zeros((batch, heads, n, d)))
    return Computed(
        question=(
            f"Queries are `({batch}, {heads}, {m}, {d})`, keys `({batch}, {heads}, {n}, {d})`. "
            "What is the shape of the scores?"
        ),
        answer=tuple(pattern.shape),
        slips={
            "queries are the rows": (batch, heads, n, m),
            "the width is summed out": (batch, heads, m, d),
        },
        explanation=f"A score for each of {m} queries and {n} keys; the width {d} is summed out.",
    )


# ── scaling ──────────────────────────────────────────────────────────────────────────────────────


def scaled_score(draw: Generator) -> Computed:
    width = int(draw.choice([4, 16, 64, 256]))
    raw = int(draw.integers(1, 10)) * int(np.sqrt(width)) // 2
    return Computed(
        question=(
            f"A query and a key of width {width} have a dot product of {raw}. What is the scaled "
            "score?"
        ),
        answer=float(scale(np.float64(raw), width)),
        slips={
            "divided by d, not by its root": raw / width,
            "divide by the root, do not multiply": raw * float(np.sqrt(width)),
        },
        explanation=f"{raw} divided by $\\sqrt{{{width}}} = {int(np.sqrt(width))}$.",
    )


def width_from_variance(draw: Generator) -> Computed:
    width = int(draw.choice([16, 32, 64, 128, 256]))
    spread = int(draw.choice([2, 3, 4]))
    return Computed(
        question=(
            f"Components of queries and keys are independent with mean 0, queries with variance "
            f"{spread}, keys with variance 1. Unscaled scores have variance {spread * width}. "
            "How wide is a key?"
        ),
        answer=width,
        slips={
            "queries have a variance of their own": spread * width,
        },
        explanation=(
            f"Each of the $d_k$ products has variance {spread}·1, and variances of independent "
            f"terms add up: {spread * width} / {spread}."
        ),
    )


# ── weighted sum ─────────────────────────────────────────────────────────────────────────────────


def equal_scores(draw: Generator) -> Computed:
    values = draw.integers(-4, 9, size=4).astype(np.float64)
    output = attend(np.zeros(2), np.ones((4, 2)), values[:, None])
    return Computed(
        question=(
            f"A query of zeros meets four keys; their values are {plain(values)}. What is the "
            "output?"
        ),
        answer=float(output[0]),
        slips={
            "the weights sum to 1: this is the sum of the values": float(values.sum()),
            "equal scores give equal weights, not none": 0.0,
        },
        explanation="All scores are 0, so every weight is 1/4: the output is the plain mean.",
    )


def two_values(draw: Generator) -> Computed:
    share = float(draw.choice([0.1, 0.2, 0.25, 0.3, 0.4]))
    first, second = draw.choice(np.arange(-5.0, 6.0), size=(2, 2), replace=False)
    output = np.array([share, 1 - share]) @ np.stack([first, second])
    return Computed(
        question=(
            f"Weights are {share:g} and {1 - share:g}; the values are $({plain(first)})$ and "
            f"$({plain(second)})$. What is the output?"
        ),
        answer=numbers(output.round(6)),
        slips={
            "the weights are exchanged": numbers(
                (np.array([1 - share, share]) @ np.stack([first, second])).round(6)
            ),
            "the weights are missing": numbers(first + second),
        },
        explanation="Each component is its own weighted mean of the two values' components.",
    )


# ── masks ────────────────────────────────────────────────────────────────────────────────────────


def causal_row(draw: Generator) -> Computed:
    n = int(draw.integers(4, 9))
    row = int(draw.integers(1, n))
    weights = causal_attention(np.zeros((n, 1)), np.zeros((n, 1)), np.eye(n))[row]
    return Computed(
        question=(
            f"Causal self-attention over {n} tokens, all scores equal. What weight does token "
            f"{row} (counted from 0) give to token 0?"
        ),
        answer=float(weights[0]),
        tolerance=0.005,
        shown=f"1/{row + 1}",
        slips={
            "later tokens are masked": 1 / n,
            "it sees itself too": 1 / row,
        },
        explanation=f"It sees tokens 0 to {row}: {row + 1} keys share a weight of 1.",
    )


def causal_cached(draw: Generator) -> Computed:
    n = int(draw.integers(5, 10))
    m = int(draw.integers(2, n - 1))
    row = int(draw.integers(0, m))
    allowed = causal(m, n, np.zeros(1))
    return Computed(
        question=(
            f"{m} new queries meet {n} keys, the earlier ones from a cache, under the causal mask. "
            f"How many keys may query {row} (counted from 0) see?"
        ),
        answer=int(allowed[row].sum()),
        slips={
            "the cached keys come before the first query": row + 1,
            "keys after the query are masked": n,
        },
        explanation=(
            f"The queries are the last {m} positions: query {row} is position {n - m + row} and "
            f"sees keys 0 to {n - m + row}."
        ),
    )


def allowed_pairs(draw: Generator) -> Computed:
    n = int(draw.integers(4, 13))
    return Computed(
        question=f"How many of the {n} × {n} query-key pairs does the causal mask allow?",
        answer=int(causal(n, n, np.zeros(1)).sum()),
        slips={
            "a token sees itself too": n * (n - 1) // 2,
            "later keys are masked": n * n,
        },
        explanation=f"1 + 2 + … + {n} = {n}·{n + 1}/2.",
    )


def masked_row(draw: Generator) -> Computed:
    row = draw.integers(-1, 3, size=3).astype(np.float64)
    hidden = int(draw.integers(0, 3))
    allowed = np.arange(3) != hidden
    weights = masked_attention(np.ones((1, 1)), row[:, None], np.eye(3), allowed)[0]
    return Computed(
        question=(
            f"Scores are $({plain(row)})$ and key {hidden} (counted from 0) is masked. "
            "What are the three weights, to two decimal places? "
            "($e \\approx 2.72$, $e^2 \\approx 7.39$, $e^3 \\approx 20.1$)"
        ),
        answer=numbers(weights),
        tolerance=BY_HAND,
        slips={
            "the masked key takes a share": numbers(softmax(row)),
            "mask before the softmax: the row must sum to 1": numbers(
                np.where(allowed, softmax(row), 0.0)
            ),
            "masked is −∞, not 0": numbers(softmax(np.where(allowed, row, 0.0))),
        },
        explanation=(
            f"Key {hidden} has $-\\infty$ and weight 0; the other two share a weight of 1 by "
            "their softmax."
        ),
    )


# ── heads ────────────────────────────────────────────────────────────────────────────────────────


def split_shape(draw: Generator) -> Computed:
    batch, n, heads, d_head = different(draw, (2, 3, 4, 5, 6, 8, 10, 16), 4)
    parts = split_heads(np.zeros((batch, n, heads * d_head)), heads)
    return Computed(
        question=(
            f"`(batch, tokens, width)` = `({batch}, {n}, {heads * d_head})` is split into {heads} "
            "heads. What is the shape, heads before tokens?"
        ),
        answer=tuple(parts.shape),
        slips={
            "heads come before tokens": (batch, n, heads, d_head),
        },
        explanation=f"Width {heads * d_head} is {heads} heads of {d_head} columns.",
    )


def head_columns(draw: Generator) -> Computed:
    heads = int(draw.choice([4, 6, 8, 12]))
    d_head = int(draw.choice([16, 32, 64]))
    head = int(draw.integers(1, heads))
    columns = split_heads(np.arange(heads * d_head)[None, :], heads)[head, 0]
    return Computed(
        question=(
            f"Width {heads * d_head}, {heads} heads. What are the first and the last column of "
            f"head {head} (all counted from 0)?"
        ),
        answer=(int(columns[0]), int(columns[-1])),
        slips={
            "the last column is one before the next head's first": (
                head * d_head,
                (head + 1) * d_head,
            ),
            "heads are counted from 0": ((head - 1) * d_head, head * d_head - 1),
        },
        explanation=(
            f"Heads are {d_head} wide; head {head} begins at {head}·{d_head} and ends before "
            f"{head + 1}·{d_head}."
        ),
    )


def head_update(draw: Generator) -> Computed:
    """Draw no zeros and no two equal numbers: each head and each row of W_O counts."""
    heads = draw.choice([-2.0, -1.0, 2.0, 3.0], size=(2, 1, 1), replace=False)
    w_o = draw.permutation([-1.0, 1.0, 2.0, 3.0]).reshape(2, 2)
    updates = head_updates(heads, w_o)[:, 0, :]
    return Computed(
        question=(
            f"Two heads of width 1 give ${heads[0, 0, 0]:g}$ and ${heads[1, 0, 0]:g}$; the rows "
            f"of $W_O$ are $({plain(w_o[0])})$ and $({plain(w_o[1])})$. What is the output for the "
            "token?"
        ),
        answer=numbers(updates.sum(axis=0)),
        slips={
            "each head writes a row, not a column": numbers(w_o @ heads[:, 0, 0]),
            "this is the first head's update": numbers(updates[0]),
            "this is the second head's update": numbers(updates[1]),
        },
        explanation=(
            f"Each head writes its own row: $({plain(updates[0])})$ and $({plain(updates[1])})$; "
            "the output is their sum."
        ),
    )


def joined_output(draw: Generator) -> Computed:
    heads = draw.choice([-2.0, -1.0, 1.0, 2.0, 3.0], size=4)
    column = draw.permutation([-1.0, 0.0, 1.0, 2.0])
    products = " + ".join(f"{signed(a)}·{signed(b)}" for a, b in zip(heads, column, strict=True))
    return Computed(
        question=(
            f"Two heads of width 2 return $({plain(heads[:2])})$ and $({plain(heads[2:])})$ for a "
            f"token; the first column of $W_O$ is $({plain(column)})$. What is the first number of "
            "the output?"
        ),
        answer=int(heads @ column),
        slips={
            "the second head is missing": int(heads[:2] @ column[:2]),
            "these are the products: add them": numbers(heads * column),
        },
        explanation=f"The heads side by side, times the column: {products} = {heads @ column:g}.",
    )


def head_divisor(draw: Generator) -> Computed:
    heads = int(draw.choice([2, 4, 8, 16]))
    root = int(draw.choice([4, 8, 16]))
    d_model = heads * root**2
    unit = scale(np.float64(1), d_model // heads)
    return Computed(
        question=(
            f"A model of width {d_model:,} has {heads} heads. By what number are the scores of a "
            "head divided?"
        ),
        answer=round(1 / float(unit)),
        slips={
            "a head's width counts, not the model's": float(np.sqrt(d_model)),
            "the root of the width divides": d_model // heads,
        },
        explanation=f"$\\sqrt{{{d_model} / {heads}}} = \\sqrt{{{root**2}}}$: a head's own width.",
    )
