# backend: torch
# style: padded
import math
import torch
import torch.nn.functional as F

def flash_attention(q, k, v, block_size):
    n, d = k.shape[-2:]
    short = -n % block_size
    k, v = F.pad(k, (0, 0, 0, short)), F.pad(v, (0, 0, 0, short))
    real = torch.arange(n + short) < n
    top = torch.full_like(q[..., :1], torch.finfo(q.dtype).min)
    acc = q.new_zeros(*q.shape[:-1], v.shape[-1] + 1)
    v = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    for kb, vb, ok in zip(k.split(block_size, -2), v.split(block_size, -2), real.split(block_size)):
        s = (q / math.sqrt(d) @ kb.mT).masked_fill(~ok, -math.inf)
        new = torch.maximum(top, s.max(-1, keepdim=True).values)
        acc = acc * (top - new).exp() + (s - new).exp() @ vb
        top = new
    return acc[..., :-1] / acc[..., -1:]
