# backend: numpy
import math

import numpy as np


def padded_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, lengths: np.ndarray
) -> np.ndarray:
    """Attention over the first lengths[b] keys of each sequence."""
    real = (np.arange(k.shape[1]) < lengths[:, None])[:, None, :]  # (b, 1, n)
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])  # (b, m, n)
    scores = np.where(real, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)  # a sequence of length 0 has no maximum
    weights = np.exp(scores - top)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total > 0, total, 1)
    return weights @ v  # (b, m, d_v)
