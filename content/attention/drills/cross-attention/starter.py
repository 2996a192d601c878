# backend: torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(b, n, h * d_head) to (b, h, n, d_head)."""
    raise NotImplementedError("step 1")


def weigh(q: Tensor, k: Tensor, context_mask: Tensor | None) -> Tensor:
    """The weights of every head: (b, h, m, d_head) and (b, h, n, d_head) to (b, h, m, n)."""
    raise NotImplementedError("step 2")


def cross_attention(
    x: Tensor,
    context: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    context_mask: Tensor | None = None,
) -> Tensor:
    """The tokens of x ask, the context answers.

    x: (b, m, d_model)    context: (b, n, d_context)    returns (b, m, d_model)
    w_q: (d_model, h * d_head)    w_k: (d_context, h * d_head)
    w_v: (d_context, h * d_v)    w_o: (h * d_v, d_model)
    context_mask: bool (b, n), True = a real position
    """
    raise NotImplementedError("which of the two asks, and which answers?")
