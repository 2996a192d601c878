# backend: numpy
# style: np.sqrt
import numpy as np


def flash_attention(q, k, v, block_size):
    scale = 1 / np.sqrt(q.shape[-1])
    top = np.full((*q.shape[:-1], 1), -np.inf)
    total = np.zeros((*q.shape[:-1], 1))
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for start in range(0, k.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = (q @ np.swapaxes(k[..., block, :], -1, -2)) * scale
        higher = np.maximum(top, scores.max(axis=-1, keepdims=True))
        powers = np.exp(scores - higher)
        factor = np.exp(top - higher)
        total = factor * total + powers.sum(axis=-1, keepdims=True)
        out = factor * out + powers @ v[..., block, :]
        top = higher
    return out / total
