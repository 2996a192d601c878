# backend: torch
from torch import Tensor


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Return each row of `x` with mean 0 and variance 1, times `gain`, plus `bias`.

    x: (..., n, d)    gain, bias: (d,)    returns (..., n, d)
    """
    raise NotImplementedError("subtract the mean of each row, divide by its spread")
