# backend: numpy
import numpy as np


def sliding_window_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, window: int
) -> np.ndarray:
    """Return the attention of each query to the last `window` keys, including its own.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)
    """
    raise NotImplementedError("causal attention to the last `window` keys only")
