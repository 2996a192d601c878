# backend: numpy
# mistake: flash-block-maximum-kept
import numpy as np


def flash_attention(q, k, v, block_size):
    m = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    l = np.zeros((*q.shape[:-1], 1), q.dtype)
    acc = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for j in range(0, k.shape[-2], block_size):
        s = q @ np.swapaxes(k[..., j : j + block_size, :], -1, -2) / q.shape[-1] ** 0.5
        block_max = s.max(-1, keepdims=True)
        new = np.maximum(m, block_max)
        p = np.exp(s - new)
        alpha = np.exp(m - new)
        l = alpha * l + p.sum(-1, keepdims=True)
        acc = alpha * acc + p @ v[..., j : j + block_size, :]
        m = block_max
    return acc / l
