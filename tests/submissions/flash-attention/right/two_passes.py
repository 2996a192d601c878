# backend: torch
# style: two-passes
import torch

def flash_attention(q, k, v, block_size):
    # first the maximum of every row, then the sums
    q = q / q.shape[-1] ** 0.5
    parts = list(zip(k.split(block_size, -2), v.split(block_size, -2)))
    top = None
    for kb, _ in parts:
        m = (q @ kb.mT).amax(-1, keepdim=True)
        top = m if top is None else torch.maximum(top, m)
    num = den = 0
    for kb, vb in parts:
        e = torch.exp(q @ kb.mT - top)
        num, den = num + e @ vb, den + e.sum(-1, keepdim=True)
    return num / den
