# backend: torch
# style: recursive
import torch

def causal_attention(q, k, v):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    if m == 0: return q.new_zeros(*q.shape[:-1], v.shape[-1])
    last = torch.softmax((q[..., -1:, :] * k).sum(-1) / d**0.5, -1)[..., None, :] @ v
    if m == 1: return last
    return torch.cat([causal_attention(q[..., :-1, :], k[..., :-1, :], v[..., :-1, :]), last], -2)
