# backend: numpy
import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Running sums of keys and values; each position reads them as they stand."""
    q, k = feature(q), feature(k)
    states = (k[..., :, None] * v[..., None, :]).cumsum(axis=-3)  # (..., n, d, d_v)
    totals = k.cumsum(axis=-2)  # (..., n, d)
    mixed = (q[..., None, :] @ states)[..., 0, :]  # (..., n, d_v)
    return mixed / (q * totals).sum(axis=-1, keepdims=True)


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
