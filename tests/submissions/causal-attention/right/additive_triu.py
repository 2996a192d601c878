# backend: torch
# style: additive-mask
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    bias = torch.full((m, n), float("-inf"), dtype=q.dtype, device=q.device).triu(n - m + 1)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5 + bias, dim=-1) @ v
