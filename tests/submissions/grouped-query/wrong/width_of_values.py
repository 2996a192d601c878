# backend: numpy
# mistake: scale-by-value-width
import numpy as np


def grouped_query_attention(q, k, v):
    g = q.shape[-3] // k.shape[-3]
    k, v = np.repeat(k, g, -3), np.repeat(v, g, -3)
    s = np.einsum("bhmd,bhnd->bhmn", q, k) / v.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhmn,bhnd->bhmd", e / e.sum(-1, keepdims=True), v)
