# backend: numpy
# mistake: padding-queries-zeroed
import numpy as np


def padded_attention(q, k, v, lengths):
    b, m, d = q.shape
    out = np.zeros((b, m, v.shape[-1]), v.dtype)
    for i in range(b):
        n = int(lengths[i])
        if n == 0:
            continue
        s = q[i, :n] @ k[i, :n].T / d**0.5
        e = np.exp(s - s.max(-1, keepdims=True))
        out[i, :n] = e / e.sum(-1, keepdims=True) @ v[i, :n]
    return out
