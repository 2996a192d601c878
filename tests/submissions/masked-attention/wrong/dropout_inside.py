# backend: torch
# mistake: not-deterministic
# style: dropout
import torch

def masked_attention(q, k, v, mask):
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    return torch.dropout(s.softmax(-1).nan_to_num(), 0.2, True) @ v
