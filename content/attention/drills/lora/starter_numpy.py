# backend: numpy
import numpy as np


def lora_linear(
    x: np.ndarray, w: np.ndarray, a: np.ndarray, b: np.ndarray, alpha: float
) -> np.ndarray:
    """A frozen layer and its low-rank update: x w + (alpha / r) (x a) b.

    x: (..., d_in)    w: (d_in, d_out)    a: (d_in, r)    b: (r, d_out)    returns (..., d_out)

    No array of the shape of w is to be made on the way.
    """
    raise NotImplementedError("watch the parentheses")
