# backend: torch
# style: per-head
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    total = 0
    parts = zip(*(w.chunk(num_heads, dim=1) for w in (w_q, w_k, w_v)), w_o.chunk(num_heads, dim=0))
    n = x.shape[-2]
    for i, (a, b, c, d) in enumerate(parts):
        s = (x @ a) @ (x @ b).mT / a.shape[1] ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            m = torch.broadcast_to(mask, (*x.shape[:-2], num_heads, n, n)).select(-3, i)
            w = torch.where(m, torch.where(m, s, torch.finfo(s.dtype).min).softmax(-1), 0)
        total = total + w @ (x @ c) @ d
    return total
