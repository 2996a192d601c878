# backend: numpy
import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Linear attention in which position i sees positions 0 to i.

    q: (..., n, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., n, d_v)

    Feature map elu + 1, normalised; nothing of shape (..., n, n) is to be made.
    """
    raise NotImplementedError("what does position i add to the sums of position i - 1?")
