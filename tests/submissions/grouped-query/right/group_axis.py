# backend: numpy
import numpy as np


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = k.shape[1]
    grouped = q.reshape((b, g, h // g, m, d))
    s = np.einsum("bgrmd,bgnd->bgrmn", grouped, k, optimize=True)
    s *= 1 / np.sqrt(d, dtype=q.dtype)
    s -= s.max(axis=4)[..., np.newaxis]
    w = np.exp(s)
    w /= w.sum(axis=4)[..., np.newaxis]
    return np.einsum("bgrmn,bgnc->bgrmc", w, v).reshape((b, h, m, v.shape[3]))
