"""Computed cards about training a language model and about letting it write."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from studyattn.attention import next_probabilities, next_token_loss
from studyattn.packs.computed import Computed


def loss_of_share(draw: Generator) -> Computed:
    percent = int(draw.choice([2, 5, 10, 20, 25, 40, 50, 80, 90]))
    logits = np.log(np.array([[percent, 100 - percent], [1, 1]]) / 100)
    loss = float(next_token_loss(logits, np.array([1, 0])))
    return Computed(
        question=(
            f"The actual next token had a probability of {percent}% in the softmax. What is the "
            "loss of this prediction, to two decimal places? (The logarithms of "
            f"{percent / 100:g}: {-loss:.3f} to base $e$, {np.log2(percent / 100):.3f} to base 2, "
            f"{np.log10(percent / 100):.3f} to base 10.)"
        ),
        answer=loss,
        tolerance=0.006,
        shown=f"{loss:.2f}",
        slips={
            "the natural logarithm, not that of base 10": float(-np.log10(percent / 100)),
            "the natural logarithm, not that of base 2": float(-np.log2(percent / 100)),
            "the loss is its negative": -loss,
            "this is 1 − p": 1 - percent / 100,
        },
        explanation=f"−log {percent / 100:g}: the natural logarithm with its sign flipped.",
    )


def share_at_temperature(draw: Generator) -> Computed:
    temperature = float(draw.choice([0.5, 2.0, 4.0]))
    gap = int(draw.integers(1, 3 if temperature < 1 else 4))  # of 6, the share is 1.00
    share = float(next_probabilities(np.array([float(gap), 0.0]), temperature)[0])
    exponents = sorted({gap / temperature, float(gap), gap * temperature})
    powers = ", ".join(f"$e^{{{each:g}}} \\approx {np.exp(each):.3g}$" for each in exponents)
    return Computed(
        question=(
            f"Two tokens have the logits {gap} and 0, and the temperature is {temperature:g}. "
            f"What probability does the first one get, to two decimal places? ({powers})"
        ),
        answer=share,
        tolerance=0.006,
        shown=f"{share:.2f}",
        slips={
            "the temperature divides the logits": float(
                next_probabilities(np.array([gap * temperature, 0.0]), 1.0)[0]
            ),
            "the temperature is missing": float(
                next_probabilities(np.array([float(gap), 0.0]), 1.0)[0]
            ),
            "this is the share of the second": 1 - share,
        },
        explanation=f"The logits become {gap / temperature:g} and 0 before the softmax.",
    )
