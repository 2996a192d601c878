# backend: torch
from torch import Tensor


def rope(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    """Return `x` with each pair of neighbours rotated by position · base^(−2i/d).

    x: (..., n, d)    positions: (n,)    returns (..., n, d)
    """
    raise NotImplementedError("angles (n, d/2), then rotate the pairs 0 and 1, 2 and 3, …")
