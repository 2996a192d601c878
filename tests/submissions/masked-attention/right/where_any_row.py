# backend: torch
import torch

def masked_attention(q, k, v, mask):
    s = (q @ k.mT).div(q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    w = torch.where(mask.any(dim=-1, keepdim=True), s.softmax(dim=-1), 0.0)
    return w @ v
