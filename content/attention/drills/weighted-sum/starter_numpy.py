# backend: numpy
import numpy as np


def weighted_sum(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the rows of `values`, each times its weight, added up.

    weights: (n,)    values: (n, d)    returns (d,)
    """
    raise NotImplementedError("multiply each row by its weight, then add")
