# backend: numpy
# mistake: mask-first-row
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    allowed = mask[..., :1, :]
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = np.where(allowed, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * allowed
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
