# backend: numpy
import numpy as np


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def summarize(k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What all queries ask, of features (..., n, d) and values: (..., d, d_v) and (..., d, 1)."""
    return k.swapaxes(-2, -1) @ v, k.sum(axis=-2)[..., None]


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Keys and values are summed up first; every query asks the same small summary."""
    q = feature(q)
    state, total = summarize(feature(k), v)
    return (q @ state) / (q @ total)  # (..., m, d_v) by (..., m, 1)
