# backend: torch
# mistake: mask-multiplied
# style: tril
import torch

def causal_attention(q, k, v):
    s = torch.tril(q @ k.mT / q.shape[-1] ** 0.5, diagonal=k.shape[-2] - q.shape[-2])
    return s.softmax(dim=-1) @ v
