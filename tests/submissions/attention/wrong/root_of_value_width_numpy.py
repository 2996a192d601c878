# backend: numpy
# mistake: scale-by-value-width
import numpy as np


def attention(q, k, v):
    scale = v.shape[-1] ** -0.5
    s = np.einsum("...id,...jd->...ij", q, k) * scale
    s -= s.max(-1, keepdims=True)
    w = np.exp(s)
    w /= w.sum(-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", w, v)
