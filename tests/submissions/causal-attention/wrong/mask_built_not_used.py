# backend: numpy
# mistake: mask-missing
# style: forgotten-variable
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    masked = np.where(np.tri(m, n, n - m), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
