# backend: torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(b, t, h * d) to (b, h, t, d)."""
    raise NotImplementedError("step 1")


def extend(past: Tensor | None, new: Tensor) -> Tensor:
    """What was cached, followed by what is new, along the tokens: (b, h, n, d); None is nothing."""
    raise NotImplementedError("step 2")


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention of the last t of n positions: (b, h, t, d_v).

    q: (b, h, t, d_head)    k: (b, h, n, d_head)    v: (b, h, n, d_v)
    """
    raise NotImplementedError("step 3")


class CachedAttention:
    """Causal multi-head attention over a sequence that arrives piece by piece."""

    def __init__(self, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> None:
        """w_q, w_k: (d_model, h * d_head)    w_v: (d_model, h * d_v)    w_o: (h * d_v, d_model)."""
        raise NotImplementedError("what has to be kept between calls?")

    def __call__(self, x: Tensor) -> Tensor:
        """The outputs of the new tokens: (b, t, d_model) -> (b, t, d_model)."""
        raise NotImplementedError("project only the new tokens, extend the cache, attend")

    def reset(self) -> None:
        """Forget everything seen so far."""
        raise NotImplementedError("begin anew")
