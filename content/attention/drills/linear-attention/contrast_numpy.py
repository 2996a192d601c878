# backend: numpy
import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The same numbers with queries and keys multiplied first: every pair of tokens is compared."""
    weights = feature(q) @ feature(k).swapaxes(-2, -1)  # (..., m, n)
    weights = weights / weights.sum(axis=-1, keepdims=True)  # each row sums to 1
    return weights @ v  # (..., m, d_v)


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
