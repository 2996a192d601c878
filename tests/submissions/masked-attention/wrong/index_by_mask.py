# backend: torch
# mistake: none
import torch


def masked_attention(q, k, v, mask):
    s = q @ k.mT / q.shape[-1] ** 0.5
    s = s.clone()
    s[..., ~mask] = torch.finfo(s.dtype).min
    return (s.softmax(-1) * mask) @ v
