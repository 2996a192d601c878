# backend: torch
from torch import Tensor


def lora_linear(x: Tensor, w: Tensor, a: Tensor, b: Tensor, alpha: float) -> Tensor:
    """A frozen layer and its low-rank update: x w + (alpha / r) (x a) b.

    x: (..., d_in)    w: (d_in, d_out)    a: (d_in, r)    b: (r, d_out)    returns (..., d_out)

    No array of the shape of w is to be made on the way.
    """
    raise NotImplementedError("watch the parentheses")
