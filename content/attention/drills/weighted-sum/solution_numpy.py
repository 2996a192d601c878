# backend: numpy
import numpy as np


def weighted_sum(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The rows of `values`, each times its weight, added up."""
    weighted = weights[:, None] * values  # (n, d): each row times its weight
    return weighted.sum(axis=0)  # (d,)
