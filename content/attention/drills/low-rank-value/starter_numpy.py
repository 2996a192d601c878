# backend: numpy
import numpy as np


def low_rank_value(x: np.ndarray, value_down: np.ndarray, value_up: np.ndarray) -> np.ndarray:
    """Down to the width of the head and up again, for every token.

    x: (..., n, d_model)    value_down: (d_model, r)    value_up: (r, d_model)
    returns (..., n, d_model)

    Nothing of shape (d_model, d_model) is to be made.
    """
    raise NotImplementedError("which two do you multiply first?")
