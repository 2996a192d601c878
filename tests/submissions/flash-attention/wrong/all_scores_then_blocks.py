# backend: numpy
# mistake: flash-materialises
# Computes the whole table of scores first and runs the online softmax over its blocks.
import numpy as np

def flash_attention(q, k, v, block_size):
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
    top = np.full(s.shape[:-1], -np.inf, s.dtype)
    total = np.zeros_like(top)
    out = np.zeros(q.shape[:-1] + v.shape[-1:], v.dtype)
    for j in range(0, s.shape[-1], block_size):
        part = s[..., j : j + block_size]
        new = np.maximum(top, part.max(-1))
        p = np.exp(part - new[..., None])
        f = np.exp(top - new)
        total = total * f + p.sum(-1)
        out = out * f[..., None] + p @ v[..., j : j + block_size, :]
        top = new
    return out / total[..., None]
