# backend: torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    """Exact attention that sees `block_size` keys at a time.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    Nothing of shape (..., m, n) is to be made.
    """
    raise NotImplementedError("carry a maximum, a sum and an output from block to block")
