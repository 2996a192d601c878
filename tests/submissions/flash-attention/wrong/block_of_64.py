# backend: numpy
# mistake: flash-materialises
import numpy as np


def flash_attention(q, k, v, block_size):
    block = 64
    top = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    total = np.zeros_like(top)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for a in range(0, k.shape[-2], block):
        s = q @ k[..., a : a + block, :].swapaxes(-1, -2) / q.dtype.type(q.shape[-1] ** 0.5)
        new = np.maximum(top, s.max(-1, keepdims=True))
        p, f = np.exp(s - new), np.exp(top - new)
        total = total * f + p.sum(-1, keepdims=True)
        out = out * f + p @ v[..., a : a + block, :]
        top = new
    return out / total
