# backend: torch
# mistake: not-deterministic
# style: random-features
import torch

def linear_attention(q, k, v):
    # random features for the softmax kernel
    w = torch.randn(q.shape[-1], 64, dtype=q.dtype, device=q.device)
    f = lambda x: torch.exp(x @ w - (x * x).sum(-1, keepdim=True) / 2 - (x @ w).amax().detach())
    q, k = f(q), f(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
