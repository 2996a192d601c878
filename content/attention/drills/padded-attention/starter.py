# backend: torch
from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Tensor:
    """Attention in which sequence b has only lengths[b] real keys.

    q: (b, m, d)    k: (b, n, d)    v: (b, n, d_v)    lengths: (b,)    returns (b, m, d_v)

    Padding sits at the end of the keys. A sequence of length 0 gives zeros.
    """
    raise NotImplementedError("build the mask from the lengths")
