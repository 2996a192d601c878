# backend: torch
# style: adversarial
import torch

def one(q, k, v):
    return torch.softmax(k @ q / q.shape[0] ** 0.5, 0) @ v

def attention(q, k, v):
    lead = q.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    f = torch.vmap(torch.vmap(one, in_dims=(0, None, None)))
    return f(q, k, v).reshape(*lead, q.shape[-2], v.shape[-1])
