# backend: torch
import torch

def _one(q, k, v, last):
    s = (k * q).sum(-1) / q.shape[-1] ** 0.5
    s = torch.where(torch.arange(k.shape[0]) <= last, s, -torch.inf)
    return (s.softmax(0)[:, None] * v).sum(0)

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    f = torch.vmap(_one, in_dims=(0, None, None, 0))
    last = torch.arange(n - m, n)
    flat = [t.reshape(-1, *t.shape[-2:]) for t in (q, k, v)]
    rows = [f(a, b, c, last) for a, b, c in zip(*flat)]
    return torch.stack(rows).reshape(*q.shape[:-1], v.shape[-1])
