# backend: torch
# style: any layout, any dtype
import torch


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    later = torch.arange(n)[None, :] > torch.arange(n - m, n)[:, None]
    scores = q.reshape(-1, m, q.shape[-1]) @ k.reshape(-1, n, k.shape[-1]).transpose(1, 2)
    scores = (scores / q.shape[-1] ** 0.5).masked_fill(later, torch.finfo(q.dtype).min)
    out = torch.softmax(scores, -1) @ v.reshape(-1, n, v.shape[-1])
    return out.reshape(*q.shape[:-1], v.shape[-1])
