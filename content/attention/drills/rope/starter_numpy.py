# backend: numpy
import numpy as np


def rope(x: np.ndarray, positions: np.ndarray, base: float = 10000.0) -> np.ndarray:
    """Return `x` with each pair of neighbours rotated by position · base^(−2i/d).

    x: (..., n, d)    positions: (n,)    returns (..., n, d)
    """
    raise NotImplementedError("angles (n, d/2), then rotate the pairs 0 and 1, 2 and 3, …")
