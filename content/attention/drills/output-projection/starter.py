# backend: torch
from torch import Tensor


def head_updates(heads: Tensor, w_o: Tensor) -> Tensor:
    """What every head adds to every token.

    heads: (..., h, n, d_head)    w_o: (h * d_head, d_model)    returns (..., h, n, d_model)

    Summed over the heads: the heads side by side, times w_o.
    """
    raise NotImplementedError("which rows of w_o does head i meet?")
