# backend: numpy
import numpy as np


def head_updates(heads: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    """What every head adds to every token.

    heads: (..., h, n, d_head)    w_o: (h * d_head, d_model)    returns (..., h, n, d_model)

    Summed over the heads: the heads side by side, times w_o.
    """
    raise NotImplementedError("which rows of w_o does head i meet?")
