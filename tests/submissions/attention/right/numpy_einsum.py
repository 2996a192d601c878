# backend: numpy
# style: numpy-einsum
import numpy as np

def attention(q, k, v):
    s = np.einsum("...id,...jd->...ij", q, k)
    s = s / np.sqrt(q.shape[-1]).astype(q.dtype)
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    # divide at the very end: same numbers, smaller array
    return np.einsum("...ij,...jv->...iv", s, v) / s.sum(-1)[..., None]
