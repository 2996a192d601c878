# backend: torch
# style: any layout, any dtype
import torch


def causal_attention(q, k, v):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = torch.einsum("...md,...nd->...mn", q.to(wide), k.to(wide)) / q.shape[-1] ** 0.5
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1 + k.shape[-2] - q.shape[-2])
    weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
    return (weights @ v.to(wide)).to(q.dtype)
