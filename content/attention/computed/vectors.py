"""Computed cards about vectors: embeddings, dot products, projections, updates, positions."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from studyattn.attention import layer_norm, project_qkv, trace_head
from studyattn.attention.steps import lower, scores
from studyattn.packs.computed import Computed
from studyattn.packs.vector_text import numbers, plain, signed

# “I love apple phones”: the embeddings and the maps of one head of width 2.
TOKENS = ("I", "love", "apple", "phones")
X = np.array([[1, 0.5, 0.2, 0.1], [0.9, 1.1, 0.1, 0], [0.1, 0.2, 1, 0.5], [0, 0.1, 0.4, 1.2]])
W_Q = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
W_K = np.array([[1.0, 0], [0, 1], [0, 1], [1, 0]])
W_V = np.array([[1.0, 0], [0, 1], [1, 1], [0, 1]])


def dot_product(draw: Generator) -> Computed:
    first, second = draw.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0], size=(2, 3))
    value = float(scores(first[None, :], second[None, :])[0, 0])
    products = " + ".join(f"{signed(a)}·{signed(b)}" for a, b in zip(first, second, strict=True))
    return Computed(
        question=f"What is $({plain(first)}) \\cdot ({plain(second)})$?",
        answer=int(value),
        slips={
            "these are the products: add them": numbers(first * second),
            "a product of two signs that differ is negative": float(abs(first * second).sum()),
            "the vectors are added, not multiplied": float((first + second).sum()),
        },
        explanation=f"{products} = {value:g}",
    )


def embedding_parameters(draw: Generator) -> Computed:
    vocabulary = int(draw.choice([1000, 8000, 30000, 50000]))
    width = int(draw.choice([100, 200, 500, 1000]))
    table = np.broadcast_to(np.float64(0), (vocabulary, width))  # a shape; nothing is stored
    return Computed(
        question=(
            f"A vocabulary of {vocabulary:,} tokens, $d_{{model}}$ = {width}. How many numbers "
            "does the embedding matrix hold?"
        ),
        answer=int(table.size),
        slips={
            "a row for each token: multiply, do not add": vocabulary + width,
        },
        explanation=f"{vocabulary:,} rows of {width}.",
    )


def moved_vector(draw: Generator) -> Computed:
    """Draw numbers by which “phones” moves “apple” from fruit towards technology."""
    apple = draw.integers(1, 4, size=2).astype(np.float64)
    phones = np.array([draw.choice([-4.0, -2.0]), draw.choice([2.0, 4.0, 6.0])])
    love = draw.choice([-4.0, 4.0], size=2)
    return Computed(
        question=(
            f"“I love apple phones”: the vector of *apple* is $({plain(apple)})$, fruit and "
            f"technology. Attention moves it by 0.5 of $({plain(phones)})$ from *phones* and 0.25 "
            f"of $({plain(love)})$ from *love*. What is it afterward?"
        ),
        answer=numbers(apple + 0.5 * phones + 0.25 * love),
        slips={
            "these are the changes: add them to the vector": numbers(0.5 * phones + 0.25 * love),
            "the weights are missing": numbers(apple + phones + love),
        },
        explanation=(
            f"$({plain(apple)}) + ({plain(0.5 * phones)}) + ({plain(0.25 * love)})$: add both to "
            "the "
            "vector."
        ),
    )


def signal_decay(draw: Generator) -> Computed:
    kept = int(draw.choice([50, 80, 90]))
    steps = int(draw.integers(2, 5))
    return Computed(
        question=(
            f"A state keeps {kept}% of a signal at each step. How much of it is left after "
            f"{steps} steps? (as a decimal number)"
        ),
        answer=(kept / 100) ** steps,
        tolerance=0.006,
        slips={
            "each step loses a share of what is left": 1 - steps * (1 - kept / 100),
            "this is what is lost": 1 - (kept / 100) ** steps,
        },
        explanation=f"${kept / 100:g}^{steps}$: geometric decay.",
    )


def projected_query(draw: Generator) -> Computed:
    x = draw.integers(-2, 4, size=(1, 3)).astype(np.float64)
    w_q = draw.integers(-1, 3, size=(3, 2)).astype(np.float64)
    query = project_qkv(x, w_q, w_q, w_q)[0][0]
    rows = " \\\\ ".join(" & ".join(f"{entry:g}" for entry in row) for row in w_q)
    return Computed(
        question=(
            f"$x = ({plain(x[0])})$ and $W_Q$ is\n\n"
            f"$$\\begin{{pmatrix}} {rows} \\end{{pmatrix}}$$\n\nWhat is the query $q = x W_Q$?"
        ),
        answer=numbers(query),
        slips={
            "the entries of the query are exchanged": numbers(query[::-1]),
            "these are the sums of the columns: x weighs the rows": numbers(w_q.sum(axis=0)),
        },
        explanation=f"$x$ times each column: $({plain(query)})$.",
    )


def worked_score(draw: Generator) -> Computed:
    i, j = (int(index) for index in draw.choice(4, size=2, replace=False))
    q, k, _, raw, _, _ = trace_head(X, W_Q, W_K, W_V)
    return Computed(
        question=(
            f"The query of “{TOKENS[i]}” is $({plain(q[i].round(2))})$, the key of “{TOKENS[j]}” "
            f"is $({plain(k[j].round(2))})$. What is the raw score?"
        ),
        answer=float(raw[i, j]),
        tolerance=0.006,
        slips={
            "a raw score is not divided by √d": float(raw[i, j] / np.sqrt(2)),
            "this is the other token's query with this token's key": float(raw[j, i]),
        },
        explanation=(
            f"{q[i, 0]:.1f}·{k[j, 0]:.1f} + {q[i, 1]:.1f}·{k[j, 1]:.1f} = {raw[i, j]:.2f}"
        ),
    )


def worked_weight(draw: Generator) -> Computed:
    row, hidden = (int(index) for index in draw.integers(0, 4, size=2))
    weights = trace_head(X, W_Q, W_K, W_V)[4][row].round(3)
    others = [place for place in range(len(TOKENS)) if place != hidden]
    rest = 1 - float(weights[others].sum())
    shown = ", ".join(f"{weights[place]:.3f} to {TOKENS[place]}" for place in others)
    return Computed(
        question=(
            f"“I love apple phones”: the token “{TOKENS[row]}” gives weights {shown}. How much "
            f"goes to {TOKENS[hidden]}, to two decimal places?"
        ),
        answer=rest,
        tolerance=0.006,
        shown=f"{rest:.2f}",
        slips={
            "this is the sum of the others": 1 - rest,
        },
        explanation=(
            "A row sums to 1: 1 − "
            + " − ".join(f"{weights[place]:.3f}" for place in others)
            + f" = {rest:.3f}."
        ),
    )


def residual_update(draw: Generator) -> Computed:
    token = draw.integers(-3, 4, size=2).astype(np.float64)
    values = draw.integers(-2, 3, size=(2, 2)).astype(np.float64)
    moved = token + values.mean(axis=0)
    return Computed(
        question=(
            f"A token is $({plain(token)})$. Its head gives a weight of 0.5 to each of the values "
            f"$({plain(values[0])})$ and $({plain(values[1])})$, and $W_O$ is the identity. "
            "What is the token after the layer (no normalization)?"
        ),
        answer=numbers(moved),
        tolerance=0.001,
        slips={
            "the token itself is missing": numbers(values.mean(axis=0)),
            "the weights are missing": numbers(token + values.sum(axis=0)),
        },
        explanation=f"It is added: $({plain(token)}) + ({plain(values.mean(axis=0))})$.",
    )


def shuffled_outputs(draw: Generator) -> Computed:
    outputs = draw.choice(np.arange(10), size=4, replace=False)
    order = draw.permutation(4)
    if (order == np.arange(4)).all():
        order = order[::-1]
    words = np.array(["a", "b", "c", "d"])
    return Computed(
        question=(
            "Self-attention without positions and masks reads the tokens a, b, c, d; the first "
            f"entries of their outputs are {', '.join(map(str, outputs))}. What are the first "
            f"entries when it reads {', '.join(words[order])}, in this order?"
        ),
        answer=tuple(int(output) for output in outputs[order]),
        slips={
            "each output follows its token": tuple(int(output) for output in outputs),
            "the order is applied the wrong way around": tuple(
                int(output) for output in outputs[order.argsort()]
            ),
        },
        explanation="Each token keeps its own output; only the order changes.",
    )


def sinusoid_angle(draw: Generator) -> Computed:
    position = int(draw.choice([1, 2, 5, 10, 100]))
    width = int(draw.choice([4, 8]))
    pair = int(draw.integers(1, width // 2))
    angle = position / 10000 ** (2 * pair / width)
    return Computed(
        question=(
            f"Sinusoidal encoding with $d = {width}$ and base 10,000: by what angle (radians) has "
            f"pair $i = {pair}$ (counted from 0) turned at position $t = {position}$?"
        ),
        answer=angle,
        tolerance=angle / 100,
        slips={
            "the exponent is 2i/d, not i/d": position / 10000 ** (pair / width),
            "the power divides": position * 10000 ** (2 * pair / width),
        },
        explanation=f"$t / 10000^{{2i/d}} = {position} / 10000^{{{2 * pair}/{width}}}$.",
    )


def alibi_score(draw: Generator) -> Computed:
    query = int(draw.integers(5, 20))
    back = int(draw.integers(1, 5))
    score = int(draw.integers(-2, 6))
    divisor = int(draw.choice([2, 4, 8]))
    given = np.array([[[float(score)]]])
    lowered = lower(given, np.array([1 / divisor]), np.array([[float(back)]]))
    return Computed(
        question=(
            f"ALiBi, a head of slope 1/{divisor}. The query at position {query} and the key at "
            f"position {query - back} have the scaled score {score}. What enters the softmax?"
        ),
        answer=float(lowered[0, 0, 0]),
        slips={
            "the distance lowers the score": score + back / divisor,
            "the slope is missing": score - back,
        },
        explanation=f"The distance is {back}: ${score} - {back}/{divisor}$.",
    )


def rope_angle(draw: Generator) -> Computed:
    speed = float(draw.choice([0.1, 0.2, 0.5]))
    query = int(draw.integers(10, 100))
    key = query + int(draw.choice([-6, -4, -3, -2, -1, 1, 2, 3, 4, 6]))  # less than half a turn
    return Computed(
        question=(
            f"A pair that RoPE turns by $\\theta = {speed:g}$ per position. The query is at "
            f"{query}, the key at {key}, and both vectors were equal before. By what angle "
            "(radians, without sign) do they differ after?"
        ),
        answer=round(abs(query - key) * speed, 6),
        tolerance=0.001,
        slips={
            "only the offset counts, not the query's position": query * speed,
            "only the offset counts, not the key's position": key * speed,
            "the speed θ is missing": abs(query - key),
        },
        explanation=f"$|{query} - {key}| \\cdot {speed:g}$: only the offset counts.",
    )


def normalised_row(draw: Generator) -> Computed:
    """Ask for a row of four after layer normalisation; its standard deviation is a whole number."""
    mean, spread = int(draw.integers(1, 6)), int(draw.choice([1, 2, 3]))
    shape = draw.permutation([-1.4, -0.2, 0.2, 1.4])
    row = mean + 5 * spread * shape
    normed = layer_norm(row, np.ones(4), np.zeros(4), eps=0.0)
    return Computed(
        question=(
            f"The row $({plain(row)})$ has mean {mean} and variance {25 * spread**2}. What is it "
            "after layer normalization, with gain 1, bias 0 and a negligible ε?"
        ),
        answer=numbers(normed),
        tolerance=0.006,
        slips={
            "not divided by the standard deviation": numbers(row - mean),
            "divided by the variance, not by its root": numbers((row - mean) / (25 * spread**2)),
            "the mean is not subtracted": numbers(row / (5 * spread)),
        },
        explanation=(f"Subtract {mean} and divide by $\\sqrt{{{25 * spread**2}}} = {5 * spread}$."),
    )
