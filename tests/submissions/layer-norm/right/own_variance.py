# backend: torch
# style: mean of squares
import torch


def layer_norm(x, gain, bias, eps=1e-5):
    mu = x.mean(dim=-1, keepdim=True)
    sigma2 = ((x - mu) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - mu) * torch.rsqrt(sigma2 + eps) + bias
