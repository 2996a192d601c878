"""Computed cards on experts and on latents."""

from __future__ import annotations

import math

from numpy.random import Generator

from studyattn.packs.computed import Computed


def weights(draw: Generator) -> Computed:
    ratio = int(draw.choice([2, 3, 4, 9]))
    rest = int(draw.choice([1, 2, 5]))
    return Computed(
        question=(
            f"A router's exponentials $e^z$ of four experts are {ratio * 10}, 10, {rest} and "
            f"{rest}. Two experts are chosen. What is the weight of the first one?"
        ),
        answer=ratio / (ratio + 1),
        tolerance=0.006,
        slips={
            "the weights of the chosen ones sum to 1": ratio * 10 / (ratio * 10 + 10 + 2 * rest),
            "this is the second one": 1 / (ratio + 1),
        },
        explanation=f"{ratio * 10} / ({ratio * 10} + 10).",
    )


def active(draw: Generator) -> Computed:
    experts = int(draw.choice([8, 16, 64]))
    chosen = int(draw.choice([1, 2, 4]))
    each = float(draw.choice([0.25, 0.5, 1.0]))
    shared = int(draw.choice([1, 2, 3]))
    return Computed(
        question=(
            f"A model has {shared} billion parameters outside of its experts, and {experts} "
            f"experts of {each:g} billion each, of which a token uses {chosen}. How many billion "
            "parameters are active for a token?"
        ),
        answer=shared + chosen * each,
        tolerance=1e-6,
        unit="billion",
        slips={
            "these are all parameters": shared + experts * each,
            "attention and embeddings are used, too": chosen * each,
        },
        explanation=f"{shared} + {chosen} · {each:g}.",
    )


def capacity(draw: Generator) -> Computed:
    experts = int(draw.choice([4, 8, 16]))
    chosen = int(draw.choice([2, 3]))
    factor = float(draw.choice([1.25, 1.5, 2.5]))
    tokens = experts * int(draw.choice([20, 40, 100]))
    return Computed(
        question=(
            f"{tokens} tokens choose {chosen} of {experts} experts each. The capacity factor is "
            f"{factor:g}. How many tokens does an expert take at most?"
        ),
        answer=math.ceil(factor * chosen * tokens / experts),
        slips={
            "each token has several choices": math.ceil(factor * tokens / experts),
            "the factor is missing": chosen * tokens // experts,
            "these are all experts' places": math.ceil(factor * chosen * tokens),
        },
        explanation=f"{factor:g} · {chosen} · {tokens} / {experts}.",
    )


def balance(draw: Generator) -> Computed:
    first = int(draw.choice([5, 6, 7, 8, 9]))
    share = int(draw.choice([6, 7, 8]))
    loads = (first / 10, (10 - first) / 10)
    shares = (share / 10, (10 - share) / 10)
    sums = loads[0] * shares[0] + loads[1] * shares[1]
    return Computed(
        question=(
            f"Two experts get the shares {loads[0]:g} and {loads[1]:g} of all choices; their mean "
            f"softmax shares are {shares[0]:g} and {shares[1]:g}. What is the balancing loss "
            "$E \\sum_i f_i P_i$?"
        ),
        answer=2 * sums,
        tolerance=0.006,
        slips={
            "multiply by the number of experts": sums,
            "this counts the first expert alone": 2 * loads[0] * shares[0],
        },
        explanation=(
            f"2 · ({loads[0]:g} · {shares[0]:g} + {loads[1]:g} · {shares[1]:g}); 1 would be even."
        ),
    )


def latent_products(draw: Generator) -> Computed:
    tokens = int(draw.choice([1000, 2000, 10_000]))
    width = int(draw.choice([50, 100]))
    latent = int(draw.choice([200, 400, 500]))
    right = latent * width + tokens * latent
    return Computed(
        question=(
            f"A head is {width} wide, and the cache has {tokens:,} latents of {latent} numbers. "
            "How many multiplications give its scores, if the matrix is absorbed by the query? "
            "(without the rotated part; 300,000 may be typed as 3e5)"
        ),
        answer=right,
        tolerance=right * 0.001,
        slips={
            "this makes the keys of all tokens": tokens * latent * width + tokens * width,
            "the query has to be multiplied by the matrix, too": tokens * latent,
            "the query now is as wide as a latent": latent * width + tokens * width,
        },
        shown=f"{right:,}",
        explanation=f"{latent} · {width} for the query, {tokens:,} · {latent} for the scores.",
    )
