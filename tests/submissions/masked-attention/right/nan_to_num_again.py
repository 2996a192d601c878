# backend: torch
import torch


def masked_attention(q, k, v, mask):
    s = (q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.nan_to_num(w) @ v
