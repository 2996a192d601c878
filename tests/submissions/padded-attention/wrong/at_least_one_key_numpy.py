# backend: numpy
# mistake: padding-never-empty
import numpy as np


def padded_attention(q, k, v, lengths):
    out = np.zeros(q.shape[:-1] + v.shape[-1:], v.dtype)
    for b, n in enumerate(lengths):
        n = max(int(n), 1)
        s = q[b] @ k[b, :n].T / q.shape[-1] ** 0.5
        w = np.exp(s - s.max(-1, keepdims=True))
        out[b] = w / w.sum(-1, keepdims=True) @ v[b, :n]
    return out
