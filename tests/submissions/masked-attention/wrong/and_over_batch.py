# backend: numpy
# mistake: none
# Reduces a mask with batch axes to two axes with all(), so one entry's mask is applied to every entry.
import numpy as np

def masked_attention(q, k, v, mask):
    flat = mask.reshape(-1, *mask.shape[-2:]).all(axis=0)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = np.where(flat, s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(-1, keepdims=True)
    return (e / np.where(z > 0, z, 1)) @ v
