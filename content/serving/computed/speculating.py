"""Computed cards on speculative decoding."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from studyattn.packs.computed import Computed


def _shares(draw: Generator) -> tuple[list[float], list[float]]:
    """The target's and the draft's shares of three tokens, which differ at each."""
    while True:
        rows = []
        for _ in "pq":
            first, second = sorted(
                int(each) for each in draw.choice(range(1, 10), 2, replace=False)
            )
            rows.append([first / 10, (second - first) / 10, (10 - second) / 10])
        if all(abs(a - b) > 0.05 for a, b in zip(*rows, strict=True)):
            return rows[0], rows[1]


def _listed(shares: list[float]) -> str:
    return ", ".join(f"{each:g}" for each in shares)


def chance(draw: Generator) -> Computed:
    q = int(draw.choice([4, 5, 8]))
    p = int(draw.integers(1, q))
    return Computed(
        question=(
            f"The draft drew a token to which it gives {q / 10:g}. The target gives it {p / 10:g}. "
            "With what probability is it accepted?"
        ),
        answer=p / q,
        tolerance=0.006,
        slips={
            "this is the target's probability; divide by the draft's": p / 10,
            "this is q/p": q / p,
            "this is how much they differ": (q - p) / 10,
        },
        explanation=f"{p / 10:g} / {q / 10:g}.",
    )


def corrected(draw: Generator) -> Computed:
    excess = np.zeros(3)
    while np.count_nonzero(excess) < 2:  # with one token left, there is nothing to compute
        p, q = _shares(draw)
        excess = np.maximum(np.subtract(p, q), 0)
    right = excess / excess.sum()
    differences = np.abs(np.subtract(p, q))
    return Computed(
        question=(
            f"Three tokens: the target gives {_listed(p)}, the draft {_listed(q)}. A drafted token "
            "is rejected. With which probabilities is it replaced by each of the three?"
        ),
        answer=tuple(float(each) for each in right),
        tolerance=0.006,
        slips={
            "this is the target; only what it has beyond the draft counts": tuple(p),
            "this is not divided by its sum": tuple(float(each) for each in excess),
            "where the draft has more, it is 0": tuple(
                float(each) for each in differences / differences.sum()
            ),
        },
        explanation=f"p − q where it is above 0: {_listed([round(float(e), 2) for e in excess])}.",
    )


def overlap(draw: Generator) -> Computed:
    answer = 0.5
    while abs(answer - 0.5) < 0.05:  # half would also be how often one is rejected
        p, q = _shares(draw)
        answer = float(np.minimum(p, q).sum())
    return Computed(
        question=(
            f"Three tokens: the target gives {_listed(p)}, the draft {_listed(q)}. With what "
            "probability is a drafted token accepted, whichever it is?"
        ),
        answer=answer,
        tolerance=0.006,
        slips={
            "this is how often one is rejected": 1 - answer,
            "this is how often two independent draws agree": float(np.dot(p, q)),
        },
        explanation=(
            "The sum of the smaller of the two for each token: "
            f"{' + '.join(f'{each:g}' for each in np.minimum(p, q))}."
        ),
    )


def expected(draw: Generator) -> Computed:
    rate = float(draw.choice([0.5, 0.6, 0.7, 0.8]))
    k = int(draw.choice([2, 3]))
    answer = sum(rate**i for i in range(k + 1))
    return Computed(
        question=(
            f"{k} tokens are drafted, each accepted with probability {rate:g}. How many tokens "
            "does a pass of the target give on average?"
        ),
        answer=answer,
        tolerance=0.006,
        slips={
            "one more token always comes out": answer - 1,
            "a token needs all before it to be accepted": 1 + k * rate,
            "this counts one token too few": answer - rate**k,
        },
        explanation=" + ".join(["1", *(f"{rate:g}^{i}" for i in range(1, k + 1))]) + ".",
    )


def speed_up(draw: Generator) -> Computed:
    tokens = float(draw.choice([2.5, 3.0, 3.5, 4.0]))
    k = int(draw.choice([4, 5, 8]))
    cost = float(draw.choice([0.05, 0.1, 0.2]))
    return Computed(
        question=(
            f"Drafts of {k} tokens give {tokens:g} tokens per pass of the target on average. A "
            f"step of the draft takes {cost:g} of the time of such a pass. How many times as fast "
            "is decoding?"
        ),
        answer=tokens / (1 + k * cost),
        tolerance=0.006,
        slips={
            "drafting takes time, too": tokens,
            "each drafted token takes a step": tokens / (1 + cost),
            "the target's pass takes time, too": tokens / (k * cost),
        },
        explanation=f"A round takes 1 + {k} · {cost:g} passes' time.",
    )


def lookup(draw: Generator) -> Computed:
    a, b, c, d, e = (int(each) for each in draw.choice(range(1, 10), 5, replace=False))
    text = [a, b, c, d, a, b, e, c, a, b]
    return Computed(
        question=(
            f"The text so far is the tokens {' '.join(map(str, text))}. Prompt lookup takes the "
            "last 2 tokens and their latest earlier occurrence. Which 3 tokens does it draft?"
        ),
        answer=(e, c, a),
        slips={
            "this is their first occurrence": (c, d, a),
            "the two tokens have been generated; what followed them is drafted": (a, b, e),
        },
        explanation=f"{a} {b} occurred last before {e} {c} {a}.",
    )
