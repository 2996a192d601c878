# backend: numpy
import numpy as np


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """What one query takes from the values.

    q: (d,)    k: (n, d)    v: (n, d_v)    returns (d_v,)
    """
    raise NotImplementedError("TODO: scores, softmax, weighted sum")
