# backend: numpy
import math

import numpy as np


def block(
    x: np.ndarray,
    gain_1: np.ndarray,
    bias_1: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    gain_2: np.ndarray,
    bias_2: np.ndarray,
    w_1: np.ndarray,
    b_1: np.ndarray,
    w_2: np.ndarray,
    b_2: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
) -> np.ndarray:
    """Add attention of the normalised stream to it, then the MLP of the normalised sum."""
    rows = layer_norm(x, gain_1, bias_1)
    x = x + attend(rows, (w_q, w_k, w_v), num_heads, mask) @ w_o
    rows = layer_norm(x, gain_2, bias_2)
    return x + gelu(rows @ w_1 + b_1) @ w_2 + b_2


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Bring each row to mean 0 and variance 1, then multiply by `gain` and add `bias`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * gain + bias


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))), entry by entry."""
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def attend(
    rows: np.ndarray, projections: tuple[np.ndarray, ...], num_heads: int, mask: np.ndarray | None
) -> np.ndarray:
    """Return the heads' results side by side: `(..., n, d)`."""
    *lead, n, d = rows.shape
    q, k, v = (
        (rows @ w).reshape(*lead, n, num_heads, d // num_heads).swapaxes(-3, -2)
        for w in projections
    )  # (..., h, n, d_head)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])  # (..., h, n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return (weights @ v).swapaxes(-3, -2).reshape(rows.shape)
