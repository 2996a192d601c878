# backend: torch
from torch import Tensor


def dot_product(a: Tensor, b: Tensor) -> Tensor:
    """Return the dot product of `a` with each row of `b`.

    a: (d,)    b: (n, d)    returns (n,)
    """
    raise NotImplementedError("multiply entry by entry, then add")
