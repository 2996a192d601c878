# backend: numpy
# style: dtype
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.where(mask, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -1e300)
    e = np.exp(s - s.max(-1, keepdims=True)) * mask
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
