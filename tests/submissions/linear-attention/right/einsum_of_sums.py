# backend: torch
# style: any layout, any dtype
import torch


def linear_attention(q, k, v):
    def features(x):
        return torch.where(x > 0, x + 1, torch.exp(torch.minimum(x, torch.zeros_like(x))))

    q, k = features(q), features(k)
    above = torch.einsum("...md,...dv->...mv", q, torch.einsum("...nd,...nv->...dv", k, v))
    below = torch.einsum("...md,...d->...m", q, k.sum(-2))
    return above / below[..., None]
