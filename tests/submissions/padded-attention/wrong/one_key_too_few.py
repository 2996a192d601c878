# backend: numpy
# mistake: padding-off-by-one
# style: loops
import numpy as np

def padded_attention(q, k, v, lengths):
    out = np.zeros((*q.shape[:2], v.shape[-1]), q.dtype)
    for b, n in enumerate(lengths):
        n = max(int(n) - 1, 0)
        if n:
            s = q[b] @ k[b, :n].T / q.shape[-1] ** 0.5
            e = np.exp(s - s.max(-1, keepdims=True))
            out[b] = e / e.sum(-1, keepdims=True) @ v[b, :n]
    return out
