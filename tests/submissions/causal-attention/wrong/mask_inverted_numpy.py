# backend: numpy
# mistake: mask-inverted
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    future = np.arange(n)[None, :] > np.arange(m)[:, None] + n - m
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = np.where(future, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * future
    z = e.sum(-1, keepdims=True)
    return e / np.where(z == 0, 1, z) @ v
