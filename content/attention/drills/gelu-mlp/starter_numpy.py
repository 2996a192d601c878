# backend: numpy
import numpy as np


def gelu_mlp(
    x: np.ndarray, w_1: np.ndarray, b_1: np.ndarray, w_2: np.ndarray, b_2: np.ndarray
) -> np.ndarray:
    """Return the update of the MLP for each row of `x`, with GELU in its tanh form.

    x: (..., n, d)    w_1: (d, f)    b_1: (f,)    w_2: (f, d)    b_2: (d,)
    returns (..., n, d)
    """
    raise NotImplementedError("widen, GELU, narrow")
