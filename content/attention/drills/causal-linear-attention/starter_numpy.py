# backend: numpy
import numpy as np


def feature(x: np.ndarray) -> np.ndarray:
    """Elu + 1: x + 1 above zero, the exponential below; positive everywhere."""
    raise NotImplementedError("step 1")


def running_sums(k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums up to each position, of features (..., n, d) and values (..., n, d_v).

    returns those of k vᵀ, (..., n, d, d_v), and those of k, (..., n, d)
    """
    raise NotImplementedError("step 2")


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Linear attention in which position i sees positions 0 to i.

    q: (..., n, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., n, d_v)

    Feature map elu + 1, normalised; nothing of shape (..., n, n) is to be made.
    """
    raise NotImplementedError("what does position i add to the sums of position i - 1?")
