# backend: torch
from torch import Tensor


def add_sinusoids(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    """Return `x` plus the sine and cosine of position · base^(−2i/d) for each pair of entries.

    x: (..., n, d)    positions: (n,)    returns (..., n, d)
    """
    raise NotImplementedError("angles (n, d/2), then the sine and cosine of each, interleaved")
