# backend: numpy
# mistake: mask-missing
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    s = np.einsum("bmd,bnd->bmn", q, k) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
