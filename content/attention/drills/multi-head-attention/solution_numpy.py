# backend: numpy
import math

import numpy as np


def multi_head_attention(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
) -> np.ndarray:
    """Every head attends on its own columns; `w_o` mixes what they found."""
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))  # (..., h, n, d_head)
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., h, n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return merge_heads(softmax(scores) @ v) @ w_o  # (..., n, d_model)


def softmax(scores: np.ndarray) -> np.ndarray:
    """Shares of one along the last axis; a row of -inf alone becomes zeros."""
    top = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1)


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(..., n, h * d_head) to (..., h, n, d_head)."""
    *lead, n, width = x.shape
    return x.reshape(*lead, n, num_heads, width // num_heads).swapaxes(-3, -2)


def merge_heads(x: np.ndarray) -> np.ndarray:
    """(..., h, n, d_head) to (..., n, h * d_head)."""
    *lead, num_heads, n, d_head = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, num_heads * d_head)
