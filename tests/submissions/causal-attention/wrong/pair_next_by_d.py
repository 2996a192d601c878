# backend: numpy
# mistake: mask-sees-next, scale-by-d
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.swapaxes(-1, -2) / q.shape[-1]
    s = np.where(np.tri(m, n, n - m + 1, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
