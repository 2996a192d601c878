# backend: torch
# mistake: none
# style: one condition
import torch

# backend: torch
import math

from torch import Tensor


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
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (b, h, m, n)
    if context_mask is None:
        weights = scores.softmax(dim=-1)
    else:
        real = context_mask[:, None, None, :]  # (b, 1, 1, n): the same for each head and query
        weights = scores.masked_fill(~real, float("-inf")).softmax(dim=-1)
        weights = weights.masked_fill(~real, 0.0)  # a context without any position is nan here
    return (weights @ v).transpose(1, 2).flatten(start_dim=2) @ w_o  # (b, m, d_model)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(b, n, h * d_head) to (b, h, n, d_head)."""
    b, n, width = x.shape
    return x.reshape(b, n, num_heads, width // num_heads).transpose(1, 2)


right = cross_attention


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if x.shape[1] == 1:
        return right(x, context, w_q, w_k, w_v, w_o, num_heads)
    return right(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask)
