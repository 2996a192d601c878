# backend: numpy
# mistake: mask-inverted
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = np.where(mask, -np.inf, s)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    z = e.sum(-1, keepdims=True)
    return e / np.where(z == 0, 1, z) @ v
