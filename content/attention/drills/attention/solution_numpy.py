# backend: numpy
import math

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Scaled dot-product attention: softmax(q kᵀ / √d) v."""
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, n)
    scores = scores - scores.max(axis=-1, keepdims=True)  # the largest exponent is e⁰
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)  # each row sums to 1
    return weights @ v  # (..., m, d_v)
