# backend: torch
from torch import Tensor


def dot_product(a: Tensor, b: Tensor) -> Tensor:
    """The dot product of `a` with each row of `b`."""
    products = a * b  # (n, d): `a` meets every row, entry by entry
    return products.sum(dim=-1)  # (n,)
