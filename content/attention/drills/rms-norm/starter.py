# backend: torch
from torch import Tensor


def rms_norm(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    """Return each row of `x` divided by its root mean square, times `gain`.

    x: (..., n, d)    gain: (d,)    returns (..., n, d)
    """
    raise NotImplementedError("square, mean, root: one number per row")
