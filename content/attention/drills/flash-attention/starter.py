# backend: torch
from torch import Tensor


def scores_of(q: Tensor, keys: Tensor) -> Tensor:
    """The scaled scores of one block: (..., m, d) and (..., block, d) to (..., m, block)."""
    raise NotImplementedError("step 1")


def take_in(
    top: Tensor, total: Tensor, mixed: Tensor, scores: Tensor, values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The largest score, the sum and the weighted sum of values with one block more.

    top, total: (..., m, 1)    mixed: (..., m, d_v)    scores: (..., m, block)
    values: (..., block, d_v)    returns top, total and mixed as they are then
    """
    raise NotImplementedError("step 2")


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    """Exact attention that sees `block_size` keys at a time.

    q: (..., m, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., m, d_v)

    Nothing of shape (..., m, n) is to be made.
    """
    raise NotImplementedError("carry a maximum, a sum and an output from block to block")
