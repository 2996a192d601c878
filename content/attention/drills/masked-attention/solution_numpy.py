# backend: numpy
import math

import numpy as np


def masked_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Attention over the keys that the mask allows; zeros where it allows none."""
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, n)
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)  # a row without any key has no maximum
    weights = np.exp(scores - top)  # exp(-inf) = 0
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total > 0, total, 1)
    return weights @ v  # (..., m, d_v)
