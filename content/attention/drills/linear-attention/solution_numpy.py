# backend: numpy
import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Keys and values are summed up first; every query asks the same small summary."""
    q, k = feature(q), feature(k)
    state = k.swapaxes(-2, -1) @ v  # (..., d, d_v)
    total = k.sum(axis=-2)[..., None]  # (..., d, 1)
    return (q @ state) / (q @ total)  # (..., m, d_v) by (..., m, 1)


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
