# backend: torch
# mistake: gradient-wrong
# style: no_grad
import torch


def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1]) < lengths[:, None, None]
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~real, torch.finfo(q.dtype).min)
    top = scores.amax(-1, keepdim=True)
    e = torch.exp(scores - top) * real
    with torch.no_grad():
        total = e.sum(-1, keepdim=True).clamp_min(torch.finfo(q.dtype).tiny)
    return e / total @ v
