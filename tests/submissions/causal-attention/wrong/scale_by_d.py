# backend: numpy
# mistake: scale-by-d
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = np.where(np.tri(m, n, n - m, dtype=bool), q @ k.swapaxes(-1, -2) / q.shape[-1], -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
