# backend: torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Mix the values by how well each query matches each key.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    1. compare every query with every key      -> (..., m, n)
    2. scale, and turn each row into weights   -> (..., m, n)
    3. mix the values with the weights         -> (..., m, d_v)
    """
    raise NotImplementedError("three lines, one per step")
