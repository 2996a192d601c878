# backend: numpy
import numpy as np


def dot_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The dot product of `a` with each row of `b`."""
    products = a * b  # (n, d): `a` meets every row, entry by entry
    return products.sum(axis=-1)  # (n,)
