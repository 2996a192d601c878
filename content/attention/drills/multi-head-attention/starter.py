# backend: torch
from torch import Tensor


def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of all heads side by side: (..., n, h * d_head) each."""
    raise NotImplementedError("step 1")


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(..., n, h * d_head) to (..., h, n, d_head)."""
    raise NotImplementedError("step 2")


def weigh(q: Tensor, k: Tensor, mask: Tensor | None) -> Tensor:
    """The weights of every head: (..., h, n, d_head) twice to (..., h, n, n)."""
    raise NotImplementedError("step 3")


def merge_heads(x: Tensor) -> Tensor:
    """(..., h, n, d_head) to (..., n, h * d_head)."""
    raise NotImplementedError("step 4")


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
    raise NotImplementedError("step 5")
