# backend: numpy
# mistake: mask-multiplied
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, 0).astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
