# backend: numpy
import numpy as np


def embed(
    tokens: np.ndarray, table: np.ndarray, positions: np.ndarray, start: int = 0
) -> np.ndarray:
    """Return the row of each token plus the row of its position.

    tokens: (..., n)    table: (v, d)    positions: (c, d)    returns (..., n, d)
    """
    raise NotImplementedError("look up the rows, then add the positions from start on")
