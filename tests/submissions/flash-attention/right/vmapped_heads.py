# backend: torch
# style: vmap
import math
import torch

def one(q, k, v, size):
    top = q.new_full((q.shape[0],), -math.inf)
    total, out = torch.zeros_like(top), 0.0
    for a in range(0, k.shape[0], size):
        s = q @ k[a:a + size].T / math.sqrt(q.shape[1])
        new = torch.maximum(top, s.amax(1))
        p, f = torch.exp(s - new[:, None]), torch.exp(top - new)
        total, out, top = total * f + p.sum(1), out * f[:, None] + p @ v[a:a + size], new
    return out / total[:, None]

def flash_attention(q, k, v, block_size):
    f = lambda q, k, v: one(q, k, v, block_size)
    for _ in range(q.ndim - 2):
        f = torch.vmap(f)
    return f(q, k, v)
