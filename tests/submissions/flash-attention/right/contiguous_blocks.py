# backend: torch
# style: any layout, any dtype
import torch


def flash_attention(q, k, v, block_size):
    q = q / q.shape[-1] ** 0.5
    top = total = out = None
    for keys, values in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True):
        s = torch.matmul(q, keys.contiguous().transpose(-1, -2))
        here = s.amax(-1, keepdim=True)
        new = here if top is None else torch.maximum(top, here)
        e = torch.exp(s - new)
        old = 0.0 if top is None else torch.exp(top - new)
        total = e.sum(-1, keepdim=True) + (0.0 if total is None else old * total)
        out = e @ values + (0.0 if out is None else old * out)
        top = new
    return out / total
