# backend: numpy
# mistake: mask-added-raw
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5 + mask
    s = s.astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("...mn,...nv->...mv", e / e.sum(-1, keepdims=True), v)
