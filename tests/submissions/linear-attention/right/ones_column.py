# backend: torch
# style: augmented-values
import torch

def feature(x):
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))

def linear_attention(q, k, v):
    # a column of ones beside the values gives the divisor for free
    one = torch.ones_like(v[..., :1])
    both = feature(q) @ (feature(k).mT @ torch.cat([v, one], dim=-1))
    return both[..., :-1] / both[..., -1:]
