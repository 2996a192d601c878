# backend: torch
# mistake: mask-top-left
# breaks: queries-are-last
# style: tril
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    allowed = torch.tril(torch.ones(m, n, dtype=torch.bool, device=q.device))
    s = (q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return s.masked_fill(~allowed, float("-inf")).softmax(-1) @ v
