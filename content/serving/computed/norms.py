"""Computed cards on norms and on the numbers of a training run."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def largest_score(draw: Generator) -> Computed:
    root = int(draw.choice([4, 8, 10, 12, 16]))
    return Computed(
        question=(
            f"Queries and keys {root * root} wide are normalized as by RMSNorm, with gains of 1. "
            "What is the largest score that a query and a key can have, after the division by √d?"
        ),
        answer=root,
        slips={
            "the score is divided by √d": root * root,
            "a normalized vector has the length √d, not 1": 1 / root,
        },
        explanation=f"Two vectors of length {root}, divided by {root}.",
    )


def smallest_kept(draw: Generator) -> Computed:
    power = int(draw.choice([8, 10, 12, 15, 16]))
    exponent = int(draw.integers(26, 34))
    return Computed(
        question=(
            f"A gradient is $2^{{-{exponent}}}$. The loss is scaled by $2^{{{power}}}$. What power "
            "of 2 is the gradient in the backward pass? (Type the exponent.)"
        ),
        answer=power - exponent,
        slips={
            "the scale makes it larger": -exponent - power,
            "multiplying adds the exponents": -exponent,
        },
        explanation=f"−{exponent} + {power}.",
    )


def spread(draw: Generator) -> Computed:
    root = int(draw.choice([4, 5, 8, 10, 20]))
    layers = int(draw.choice([2, 8, 18, 32]))
    outputs = (2 * layers) ** 0.5
    return Computed(
        question=(
            f"A model has {layers} layers, each with two matrices that write into the stream. "
            f"Others are drawn with the standard deviation 1/{root}. With what are these drawn, if "
            "the growth of the stream is to be undone?"
        ),
        answer=1 / root / outputs,
        tolerance=1e-6 + 0.01 / root / outputs,
        slips={
            "two matrices in each layer write": 1 / root / layers**0.5,
            "the root of their number": 1 / root / (2 * layers),
            "this is the others'": 1 / root,
        },
        explanation=f"1/{root} divided by the root of {2 * layers}.",
    )
