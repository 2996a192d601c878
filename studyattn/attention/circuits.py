"""Two layers of one head each, as circuits (Elhage et al. 2021), and an induction head in them."""

from __future__ import annotations

from typing import Final

from array_api_compat import array_namespace, device

from studyattn.attention.steps import STEPS, Array, Steps

SHARP: Final = 100.0
"""The score of a match: e^−50, what the runner-up is left with, is nothing in any dtype."""


def two_layers(
    x: Array, qk_1: Array, ov_1: Array, qk_2: Array, ov_2: Array, *, steps: Steps = STEPS
) -> Array:
    """Return x after two causal layers x + softmax(x W_QK xᵀ + M) x W_OV: `(n, d)`, `(d, d)`."""
    allowed = steps.causal(x.shape[0], x.shape[0], x)
    for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
        scores = steps.scores(x @ qk, x)  # (n, n)
        weights = steps.normalise(steps.mask(scores, allowed))
        x = x + steps.aggregate(weights, x @ ov)
    return x


def induction_weights(x: Array, vocabulary: int) -> tuple[Array, Array, Array, Array]:
    """Return W_QK and W_OV of two layers that predict what followed a token before.

    `x` `(n, 3 · vocabulary + n)` tells the sizes. The entries of a row are the token, the position,
    the token before and the prediction, one 1 each; the last two begin as zeros.
    """
    xp = array_namespace(x)
    n, d = x.shape
    token, place = slice(0, vocabulary), slice(vocabulary, vocabulary + n)
    before = slice(vocabulary + n, 2 * vocabulary + n)
    prediction = slice(2 * vocabulary + n, d)
    each = xp.eye(vocabulary, dtype=x.dtype, device=device(x))
    qk_1, ov_1, qk_2, ov_2 = (xp.zeros((d, d), dtype=x.dtype, device=device(x)) for _ in range(4))
    qk_1[place, place] = SHARP * xp.eye(n, k=-1, dtype=x.dtype, device=device(x))
    ov_1[token, before] = each
    qk_2[token, before] = SHARP * each
    qk_2[token, place.start] = SHARP / 2  # the first position, where nothing matches
    ov_2[token, prediction] = each
    return qk_1, ov_1, qk_2, ov_2
