# backend: numpy
import numpy as np


def masked_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Attention in which query i may look at key j only where mask[..., i, j] is True.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)
    mask: bool, broadcasts to (..., m, n)    returns (..., m, d_v)

    A row of the mask without any True gives a row of zeros.
    """
    raise NotImplementedError("remove forbidden keys before the weights are normalized")
