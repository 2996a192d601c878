# backend: torch
# style: float64-internally
import torch

def linear_attention(q, k, v):
    dt = v.dtype
    q, k, v = (t.to(torch.float64) for t in (q, k, v))
    f = lambda x: torch.relu(x) + torch.exp(-torch.relu(-x))
    q, k = f(q), f(k)
    return (q @ (k.transpose(-2, -1) @ v) / (q @ k.sum(-2).unsqueeze(-1))).to(dt)
