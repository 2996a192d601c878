# backend: torch
import math

from torch import Tensor


def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of all heads side by side: (..., n, h * d_head) each."""
    return x @ w_q, x @ w_k, x @ w_v


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(..., n, h * d_head) to (..., h, n, d_head)."""
    *lead, n, width = x.shape
    return x.reshape(*lead, n, num_heads, width // num_heads).transpose(-3, -2)


def weigh(q: Tensor, k: Tensor, mask: Tensor | None) -> Tensor:
    """The weights of every head: (..., h, n, d_head) twice to (..., h, n, n)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)  # a row without any key is nan until here


def merge_heads(x: Tensor) -> Tensor:
    """(..., h, n, d_head) to (..., n, h * d_head)."""
    *lead, num_heads, n, d_head = x.shape
    return x.transpose(-3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> Tensor:
    """Every head attends on its own columns; `w_o` mixes what they found."""
    q, k, v = (split_heads(each, num_heads) for each in project_qkv(x, w_q, w_k, w_v))
    return merge_heads(weigh(q, k, mask) @ v) @ w_o  # (..., n, d_model)
