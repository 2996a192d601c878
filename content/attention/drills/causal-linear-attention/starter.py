# backend: torch
from torch import Tensor


def causal_linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Linear attention in which position i sees positions 0 to i.

    q: (..., n, d)    k: (..., n, d)    v: (..., n, d_v)    returns (..., n, d_v)

    Feature map elu + 1, normalised; nothing of shape (..., n, n) is to be made.
    """
    raise NotImplementedError("what does position i add to the sums of position i - 1?")
