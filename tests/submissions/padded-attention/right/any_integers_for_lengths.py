# backend: torch
# style: any layout, any dtype
import torch


def padded_attention(q, k, v, lengths):
    scores = torch.einsum("bmd,bnd->bmn", q, k) / q.shape[-1] ** 0.5
    real = torch.arange(k.shape[1], dtype=lengths.dtype).lt(lengths.unsqueeze(-1)).unsqueeze(1)
    weights = scores.masked_fill(~real, float("-inf"))
    weights = weights.masked_fill(lengths.eq(0)[:, None, None], 0.0).softmax(-1)
    return torch.einsum("bmn,bnv->bmv", weights.masked_fill(~real, 0.0), v)
