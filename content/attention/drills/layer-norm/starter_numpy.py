# backend: numpy
import numpy as np


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Return each row of `x` with mean 0 and variance 1, times `gain`, plus `bias`.

    x: (..., n, d)    gain, bias: (d,)    returns (..., n, d)
    """
    raise NotImplementedError("subtract the mean of each row, divide by its spread")
