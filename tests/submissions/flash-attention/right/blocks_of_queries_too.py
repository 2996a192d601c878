# backend: torch
# style: chunked
import torch

def one_row_block(q, k, v, size):
    top = q.new_full(q.shape[:-1], float("-inf"))
    den = torch.zeros_like(top)
    acc = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for kb, vb in zip(torch.split(k, size, -2), torch.split(v, size, -2)):
        s = q @ kb.transpose(-1, -2)
        new = torch.maximum(top, s.max(-1).values)
        p = (s - new[..., None]).exp()
        a = (top - new).exp()
        den = a * den + p.sum(-1)
        acc = a[..., None] * acc + p @ vb
        top = new
    return acc / den[..., None]

def flash_attention(q, k, v, block_size):
    q = q * q.shape[-1] ** -0.5
    return torch.cat([one_row_block(b, k, v, block_size) for b in q.split(block_size, -2)], -2)
