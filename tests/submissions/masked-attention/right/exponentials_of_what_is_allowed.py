# backend: torch
# style: any layout, any dtype
import torch


def masked_attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    allowed = mask.expand_as(scores) if mask.ndim == scores.ndim else mask.broadcast_to(scores.shape)
    safe = torch.where(allowed, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
    top = safe.amax(-1, keepdim=True)
    e = torch.where(allowed, torch.exp(torch.where(allowed, scores - top, torch.zeros_like(scores))), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total)) @ v
