# backend: torch
# mistake: causal-by-habit
# style: extra-mask
import torch

def attention(q, k, v):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    keep = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).tril()
    return s.masked_fill(~keep, float("-inf")).softmax(-1) @ v
