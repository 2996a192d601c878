# backend: numpy
# style: dtype
import numpy as np

def padded_attention(q, k, v, lengths):
    out = np.zeros((*q.shape[:2], v.shape[-1]))
    for i, n in enumerate(lengths):
        if n == 0:
            continue
        s = q[i] @ k[i, :n].T / np.sqrt(q.shape[-1])
        e = np.exp(s - s.max(-1, keepdims=True))
        out[i] = e / e.sum(-1, keepdims=True) @ v[i, :n]
    return out
