# backend: numpy
# mistake: mask-missing
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask=None):
    s = np.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
