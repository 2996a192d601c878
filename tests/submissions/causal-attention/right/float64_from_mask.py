# backend: numpy
# style: dtype
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    bias = np.where(np.tri(m, n, n - m), 0.0, -np.inf)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 + bias
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
