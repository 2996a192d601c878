# backend: numpy
# mistake: padding-one-length
# style: trim
import numpy as np

def padded_attention(q, k, v, lengths):
    n = int(lengths.max()) if lengths.size else 0
    if n == 0:
        return np.zeros((*q.shape[:2], v.shape[-1]), q.dtype)
    s = q @ k[:, :n].swapaxes(1, 2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v[:, :n]
