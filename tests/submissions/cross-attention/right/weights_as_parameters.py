# backend: torch
# style: module
import torch
from torch import nn


class Cross(nn.Module):
    def __init__(self, *weights, heads):
        super().__init__()
        self.weights = nn.ParameterList([w.detach().clone() for w in weights])
        self.heads = heads

    def forward(self, x, context, mask):
        w_q, w_k, w_v, w_o = self.weights
        q, k, v = (
            y.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for y in (x @ w_q, context @ w_k, context @ w_v)
        )
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            keep = mask[:, None, None]
            weights = scores.masked_fill(~keep, torch.finfo(x.dtype).min).softmax(-1) * keep
        return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    return Cross(w_q, w_k, w_v, w_o, heads=num_heads)(x, context, context_mask)
