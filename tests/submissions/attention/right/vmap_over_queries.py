# backend: torch
# style: vmap
import torch

def attend_one(q, k, v):
    w = torch.softmax((k @ q) / q.shape[0] ** 0.5, 0)
    return w @ v

def attention(q, k, v):
    f = torch.vmap(attend_one, in_dims=(0, None, None))
    if q.numel() == 0 or v.numel() == 0:
        empty = 0 * (q.sum() + k.sum() + v.sum())
        return q.new_zeros(*q.shape[:-1], v.shape[-1]) + empty
    for _ in q.shape[:-2]:
        f = torch.vmap(f)
    return f(q, k, v)
