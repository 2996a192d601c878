# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    e = np.exp(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5) * np.tri(m, n, n - m, dtype=q.dtype)
    return e / e.sum(-1, keepdims=True) @ v
