# backend: numpy
import numpy as np


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    raise NotImplementedError("step 1")


def summarize(k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What all queries ask, of features (..., n, d) and values: (..., d, d_v) and (..., d, 1)."""
    raise NotImplementedError("step 2")


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attention with the feature map elu + 1, in time and memory that grow with m + n.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    Nothing of shape (..., m, n) is to be made.
    """
    raise NotImplementedError("sum up the keys and values before using any query")
