# backend: numpy
import math

import numpy as np


def grouped_query_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attention with fewer key heads than query heads; neighbours share."""
    b, h, m, d = q.shape
    groups = k.shape[1]
    q = q.reshape(b, groups, h // groups, m, d)  # query head i is member of group i // (h / h_kv)
    k, v = k[:, :, None], v[:, :, None]  # (b, h_kv, 1, n, ...): one for all members
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(d)  # (b, h_kv, h / h_kv, m, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (weights @ v).reshape(b, h, m, v.shape[-1])
