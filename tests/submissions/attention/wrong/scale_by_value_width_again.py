# backend: numpy
# mistake: scale-by-value-width
# Divides by the root of the width of a value instead of a query.
import numpy as np

def attention(q, k, v):
    s = np.einsum("...id,...jd->...ij", q, k) / v.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("...ij,...jv->...iv", e / e.sum(-1, keepdims=True), v)
