# backend: torch
from torch import Tensor


def alibi_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return causal attention whose scores fall with the distance, in each head by its own slope.

    q: (..., h, m, d)    k: (..., h, n, d)    v: (..., h, n, d_v)    returns (..., h, m, d_v)
    """
    raise NotImplementedError("causal attention with scores lowered by slope · distance")
