# backend: numpy
import numpy as np


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def running_sums(k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums up to each position, of features (..., n, d) and values (..., n, d_v).

    returns those of k vᵀ, (..., n, d, d_v), and those of k, (..., n, d)
    """
    return (k[..., :, None] * v[..., None, :]).cumsum(axis=-3), k.cumsum(axis=-2)


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Running sums of keys and values; each position reads them as they stand."""
    q = feature(q)
    states, totals = running_sums(feature(k), v)
    mixed = (q[..., None, :] @ states)[..., 0, :]  # (..., n, d_v)
    return mixed / (q * totals).sum(axis=-1, keepdims=True)
