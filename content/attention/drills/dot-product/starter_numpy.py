# backend: numpy
import numpy as np


def dot_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the dot product of `a` with each row of `b`.

    a: (d,)    b: (n, d)    returns (n,)
    """
    raise NotImplementedError("multiply entry by entry, then add")
