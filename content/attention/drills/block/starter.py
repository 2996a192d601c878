# backend: torch
from torch import Tensor


def block(
    x: Tensor,
    gain_1: Tensor,
    bias_1: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    gain_2: Tensor,
    bias_2: Tensor,
    w_1: Tensor,
    b_1: Tensor,
    w_2: Tensor,
    b_2: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the stream after attention and MLP, each of which adds to it.

    x: (..., n, d)    mask: (n, n)    returns (..., n, d)
    """
    raise NotImplementedError("norm, attention, add; norm, MLP, add")
