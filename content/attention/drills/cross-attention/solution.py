# backend: torch
import math

from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(b, n, h * d_head) to (b, h, n, d_head)."""
    b, n, width = x.shape
    return x.reshape(b, n, num_heads, width // num_heads).transpose(1, 2)


def weigh(q: Tensor, k: Tensor, context_mask: Tensor | None) -> Tensor:
    """The weights of every head: (b, h, m, d_head) and (b, h, n, d_head) to (b, h, m, n)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if context_mask is None:
        return scores.softmax(dim=-1)
    real = context_mask[:, None, None, :]  # (b, 1, 1, n): the same for each head and query
    weights = scores.masked_fill(~real, float("-inf")).softmax(dim=-1)
    return weights.masked_fill(~real, 0.0)  # a context without any position is nan here


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
    """Multi-head attention with queries from `x`, keys and values from `context`."""
    q = split_heads(x @ w_q, num_heads)  # (b, h, m, d_head)
    k = split_heads(context @ w_k, num_heads)  # (b, h, n, d_head)
    v = split_heads(context @ w_v, num_heads)  # (b, h, n, d_v)
    heads = weigh(q, k, context_mask) @ v  # (b, h, m, d_v)
    return heads.transpose(1, 2).flatten(start_dim=2) @ w_o  # (b, m, d_model)
