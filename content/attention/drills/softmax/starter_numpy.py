# backend: numpy
import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    """Turn each row into shares that sum to 1: (..., n) -> (..., n).

    Scores of 1000 must not overflow.
    """
    raise NotImplementedError("what can you subtract from a row without changing the result?")
