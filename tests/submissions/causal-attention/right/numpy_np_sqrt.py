# backend: numpy
# style: np.sqrt
import numpy as np


def causal_attention(q, k, v):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(d)
    ahead = np.triu(np.ones((m, n), dtype=bool), k=n - m + 1)
    scores = np.where(ahead, -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", weights, v)
