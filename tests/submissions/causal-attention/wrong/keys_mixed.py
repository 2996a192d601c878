# backend: torch
# mistake: values-are-keys
# style: triu
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s + torch.full_like(s, float("-inf")).triu(n - m + 1)
    return s.softmax(-1) @ k
