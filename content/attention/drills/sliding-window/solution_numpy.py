# backend: numpy
import math

import numpy as np


def sliding_window_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, window: int
) -> np.ndarray:
    """Causal attention to the last `window` keys, including the query's own."""
    m, n = q.shape[-2], k.shape[-2]
    distance = np.arange(n - m, n)[:, None] - np.arange(n)  # (m, n), how far back a key is
    allowed = (distance >= 0) & (distance < window)

    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])  # (..., m, n)
    scores = np.where(allowed, scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ v  # (..., m, d_v)
