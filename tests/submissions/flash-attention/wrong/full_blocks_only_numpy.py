# backend: numpy
# mistake: flash-last-block-dropped
import numpy as np


def flash_attention(q, k, v, block_size):
    peak = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    total = np.zeros_like(peak)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for b in range(k.shape[-2] // block_size):
        part = slice(b * block_size, (b + 1) * block_size)
        s = q @ k[..., part, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5
        new = np.maximum(peak, s.max(-1, keepdims=True))
        p, c = np.exp(s - new), np.exp(peak - new)
        total, out, peak = c * total + p.sum(-1, keepdims=True), c * out + p @ v[..., part, :], new
    return out / np.where(total == 0, 1, total).astype(q.dtype)
