# backend: torch
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = ((x @ w).unflatten(-1, (num_heads, -1)) for w in (w_q, w_k, w_v))
    # i query, j key, h head, e feature
    s = torch.einsum("...ihe,...jhe->...hij", q, k) / q.shape[-1] ** 0.5
    if mask is None:
        a = s.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        a = s.masked_fill(~(mask | empty), float("-inf")).softmax(-1)
        a = a.masked_fill(empty, 0.0)
    return torch.einsum("...hij,...jhe->...ihe", a, v).flatten(-2) @ w_o
