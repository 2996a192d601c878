# backend: numpy
import math

import numpy as np


def scores_of(q: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The scaled scores of one block: (..., m, d) and (..., block, d) to (..., m, block)."""
    return q @ keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])


def take_in(
    top: np.ndarray, total: np.ndarray, mixed: np.ndarray, scores: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The largest score, the sum and the weighted sum of values with one block more.

    top, total: (..., m, 1)    mixed: (..., m, d_v)    scores: (..., m, block)
    values: (..., block, d_v)    returns top, total and mixed as they are then
    """
    new_top = np.maximum(top, scores.max(axis=-1, keepdims=True))
    exponentials = np.exp(scores - new_top)
    shrink = np.exp(top - new_top)  # 0 for the first block: exp(-inf)
    total = total * shrink + exponentials.sum(axis=-1, keepdims=True)
    return new_top, total, mixed * shrink + exponentials @ values


def flash_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, block_size: int) -> np.ndarray:
    """Exact attention, one block of keys at a time, by the online softmax."""
    top = np.full_like(q[..., :1], -math.inf)  # (..., m, 1): the largest score so far
    total = np.zeros_like(top)  # (..., m, 1): the sum of exponentials so far
    mixed = np.zeros_like(top)  # broadcasts to (..., m, d_v)
    for start in range(0, k.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = scores_of(q, k[..., block, :])
        top, total, mixed = take_in(top, total, mixed, scores, v[..., block, :])
    return mixed / total
