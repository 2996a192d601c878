# backend: numpy
import math

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(b, n, h * d_head) to (b, h, n, d_head)."""
    b, n, width = x.shape
    return x.reshape(b, n, num_heads, width // num_heads).swapaxes(1, 2)


def weigh(q: np.ndarray, k: np.ndarray, context_mask: np.ndarray | None) -> np.ndarray:
    """The weights of every head: (b, h, m, d_head) and (b, h, n, d_head) to (b, h, m, n)."""
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    if context_mask is not None:
        scores = np.where(context_mask[:, None, None, :], scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1)  # a row of -inf alone becomes zeros


def cross_attention(
    x: np.ndarray,
    context: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    num_heads: int,
    context_mask: np.ndarray | None = None,
) -> np.ndarray:
    """Multi-head attention with queries from `x`, keys and values from `context`."""
    q = split_heads(x @ w_q, num_heads)  # (b, h, m, d_head)
    k = split_heads(context @ w_k, num_heads)  # (b, h, n, d_head)
    v = split_heads(context @ w_v, num_heads)  # (b, h, n, d_v)
    heads = weigh(q, k, context_mask) @ v  # (b, h, m, d_v)
    b, m, _ = x.shape
    return heads.swapaxes(1, 2).reshape(b, m, w_o.shape[0]) @ w_o  # (b, m, d_model)
