# backend: torch
# mistake: mask-hidden-in-softmax
# Masks after a softmax over all keys and renormalises with clamp(1e-9): 0 / 1e-9 where the allowed scores lie far below a forbidden one.
import torch

def masked_attention(q, k, v, mask):
    w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    w = w * mask
    w = w / w.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    return w @ v
