# backend: numpy
# mistake: flash-not-divided
import numpy as np


def flash_attention(q, k, v, block_size):
    m = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for i in range(0, k.shape[-2], block_size):
        s = q @ k[..., i : i + block_size, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5
        new = np.maximum(m, s.max(-1, keepdims=True))
        o = o * np.exp(m - new) + np.exp(s - new) @ v[..., i : i + block_size, :]
        m = new
    return o
