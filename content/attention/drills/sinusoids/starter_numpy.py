# backend: numpy
import numpy as np


def add_sinusoids(x: np.ndarray, positions: np.ndarray, base: float = 10000.0) -> np.ndarray:
    """Return `x` plus the sine and cosine of position · base^(−2i/d) for each pair of entries.

    x: (..., n, d)    positions: (n,)    returns (..., n, d)
    """
    raise NotImplementedError("angles (n, d/2), then the sine and cosine of each, interleaved")
