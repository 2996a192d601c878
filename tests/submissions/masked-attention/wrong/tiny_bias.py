# backend: numpy
# mistake: mask-fill-too-small
# style: additive-mask
import numpy as np

def masked_attention(q, k, v, mask):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = np.where(mask, s, -1e-9).astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
