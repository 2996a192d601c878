# backend: numpy
import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attention with the feature map elu + 1, in time and memory that grow with m + n.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    Nothing of shape (..., m, n) is to be made.
    """
    raise NotImplementedError("sum up the keys and values before using any query")
