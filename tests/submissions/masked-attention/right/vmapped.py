# backend: torch
# style: unusual
import torch

def one(q, k, v, allowed):
    s = (k @ q / q.shape[-1] ** 0.5).where(allowed, torch.finfo(q.dtype).min)
    return (s.softmax(0) * allowed) @ v
def masked_attention(q, k, v, mask):
    mask = mask.broadcast_to(*q.shape[:-1], k.shape[-2])
    f = torch.vmap(one, (0, None, None, 0))
    for _ in q.shape[:-2]:
        f = torch.vmap(f)
    return f(q, k, v, mask)
