# backend: numpy
# mistake: min-p-as-top-p
import math

import numpy as np


def min_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Return probabilities, 0 for tokens below p times the largest: (..., v)."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    powers /= powers.sum(axis=-1, keepdims=True)
    order = np.argsort(-powers, axis=-1, kind="stable")
    before = np.cumsum(np.take_along_axis(powers, order, -1), -1) - np.take_along_axis(powers, order, -1)
    stays = np.take_along_axis(before < p, np.argsort(order, axis=-1, kind="stable"), -1)
    powers = np.where(stays, powers, 0)
    return powers / powers.sum(axis=-1, keepdims=True)


def repetition_penalty(logits: np.ndarray, tokens: np.ndarray, penalty: float) -> np.ndarray:
    """Make the tokens of a text less likely: (v,) to (v,)."""
    weaker = np.where(logits > 0, logits / penalty, logits * penalty)
    occurred = np.zeros(logits.shape, dtype=bool)
    occurred[tokens] = True
    return np.where(occurred, weaker, logits)
