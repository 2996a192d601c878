# backend: torch
# style: vmap
import torch
from torch.nn.functional import elu

def one(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    s = k.T @ v
    z = k.sum(0)
    return torch.vmap(lambda row: (row @ s) / (row @ z))(q)

def linear_attention(q, k, v):
    f = one
    for _ in range(q.ndim - 2):
        f = torch.vmap(f)
    return f(q, k, v)
