# backend: numpy
import math

import numpy as np


def project_qkv(
    x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of all heads side by side: (..., n, h * d_head) each."""
    return x @ w_q, x @ w_k, x @ w_v


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(..., n, h * d_head) to (..., h, n, d_head)."""
    *lead, n, width = x.shape
    return x.reshape(*lead, n, num_heads, width // num_heads).swapaxes(-3, -2)


def weigh(q: np.ndarray, k: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """The weights of every head: (..., h, n, d_head) twice to (..., h, n, n)."""
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1)  # a row without any key becomes zeros


def merge_heads(x: np.ndarray) -> np.ndarray:
    """(..., h, n, d_head) to (..., n, h * d_head)."""
    *lead, num_heads, n, d_head = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, num_heads * d_head)


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
    q, k, v = (split_heads(each, num_heads) for each in project_qkv(x, w_q, w_k, w_v))
    return merge_heads(weigh(q, k, mask) @ v) @ w_o  # (..., n, d_model)
