# backend: torch
import torch


def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(torch.where(x > 0, torch.zeros_like(x), x)))


def linear_attention(q, k, v):
    ones = torch.ones_like(v[..., :1])
    both = torch.einsum("...nd,...nc->...dc", phi(k), torch.cat((v, ones), -1))
    out = torch.einsum("...md,...dc->...mc", phi(q), both)
    return out[..., :-1] / out[..., -1:]
