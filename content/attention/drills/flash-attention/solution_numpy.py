# backend: numpy
import math

import numpy as np


def flash_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, block_size: int) -> np.ndarray:
    """Exact attention, one block of keys at a time, by the online softmax."""
    top = np.full_like(q[..., :1], -math.inf)  # (..., m, 1): the largest score so far
    total = np.zeros_like(top)  # (..., m, 1): the sum of exponentials so far
    mixed = np.zeros_like(top)  # broadcasts to (..., m, d_v)
    for start in range(0, k.shape[-2], block_size):
        keys = k[..., start : start + block_size, :]
        values = v[..., start : start + block_size, :]
        scores = q @ keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., m, block)
        new_top = np.maximum(top, scores.max(axis=-1, keepdims=True))
        exponentials = np.exp(scores - new_top)
        shrink = np.exp(top - new_top)  # 0 for the first block: exp(-inf)
        total = total * shrink + exponentials.sum(axis=-1, keepdims=True)
        mixed = mixed * shrink + exponentials @ values  # (..., m, d_v)
        top = new_top
    return mixed / total
