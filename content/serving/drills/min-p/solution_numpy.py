# backend: numpy
import math

import numpy as np


def min_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Return probabilities, 0 for tokens below p times the largest: (..., v)."""
    below_top = logits - logits.max(axis=-1, keepdims=True)
    powers = np.where(below_top >= math.log(p), np.exp(below_top), 0)
    return powers / powers.sum(axis=-1, keepdims=True)


def repetition_penalty(logits: np.ndarray, tokens: np.ndarray, penalty: float) -> np.ndarray:
    """Make the tokens of a text less likely: (v,) to (v,)."""
    weaker = np.where(logits > 0, logits / penalty, logits * penalty)
    occurred = np.zeros(logits.shape, dtype=bool)
    occurred[tokens] = True
    return np.where(occurred, weaker, logits)
