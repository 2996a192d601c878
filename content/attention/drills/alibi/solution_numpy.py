# backend: numpy
import math

import numpy as np


def alibi_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Causal attention whose scores fall with the distance, in each head by its own slope."""
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    slopes = 2.0 ** (-8.0 * np.arange(1, h + 1) / h)  # (h,)
    distance = np.arange(n - m, n)[:, None] - np.arange(n)  # (m, n), how far back a key is
    bias = (slopes[:, None, None] * distance).astype(q.dtype)  # (h, m, n)

    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1]) - bias  # (..., h, m, n)
    scores = np.where(distance < 0, -np.inf, scores)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ v  # (..., h, m, d_v)
