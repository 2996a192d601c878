# backend: torch
# mistake: mask-top-left, scale-missing
# style: tril
import torch

def causal_attention(q, k, v):
    s = q @ k.transpose(-1, -2)
    keep = torch.ones(s.shape[-2:], dtype=torch.bool, device=q.device).tril()
    return s.masked_fill(~keep, -torch.inf).softmax(-1) @ v
