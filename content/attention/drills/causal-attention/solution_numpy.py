# backend: numpy
import math

import numpy as np


def causal_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attention to the position itself and to those before it."""
    m, n = q.shape[-2], k.shape[-2]
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, n)
    allowed = np.tri(m, n, k=n - m, dtype=bool)
    scores = np.where(allowed, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v  # (..., m, d_v)
