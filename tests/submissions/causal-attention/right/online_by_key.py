# backend: torch
# style: online softmax
import torch

def causal_attention(q, k, v):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.mT / d**0.5
    run = torch.full((*s.shape[:-1], 1), -torch.inf, dtype=q.dtype); tot = torch.zeros_like(run); acc = q.new_zeros(*s.shape[:-1], v.shape[-1])
    pos = torch.arange(n - m, n)[:, None]
    for j in range(n):
        x = s[..., j:j+1].masked_fill(pos < j, -torch.inf)
        new = torch.maximum(run, x)
        c = torch.exp(run - new); e = torch.exp(x - new)
        tot = tot * c + e; acc = acc * c + e * v[..., j:j+1, :]; run = new
    return acc / tot
