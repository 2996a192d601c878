# backend: torch
from torch import Tensor


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
