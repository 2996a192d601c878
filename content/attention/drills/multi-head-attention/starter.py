# backend: torch
from torch import Tensor


def multi_head_attention(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> Tensor:
    """Self-attention with several heads: (..., n, d_model) -> (..., n, d_model).

    w_q, w_k: (d_model, h * d_head)    w_v: (d_model, h * d_v)    w_o: (h * d_v, d_model)
    mask: bool, broadcasts to (..., h, n, n); True = may attend

    project -> split into heads -> attend -> merge -> project back
    """
    raise NotImplementedError("five steps, one after another")
