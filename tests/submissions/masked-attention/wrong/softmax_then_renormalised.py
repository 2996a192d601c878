# backend: torch
# mistake: mask-hidden-in-softmax
import torch


def masked_attention(q, k, v, mask):
    w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) * mask
    return w / w.sum(-1, keepdim=True).clamp(min=1e-9) @ v
