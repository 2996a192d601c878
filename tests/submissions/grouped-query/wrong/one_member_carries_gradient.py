# backend: torch
# mistake: gradient-wrong
# style: detach
import math
import torch

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = h // k.shape[1]
    kk = k.repeat_interleave(g, 1)
    keep = (torch.arange(h) % g == 0)[:, None, None]
    k, v = torch.where(keep, kk, kk.detach()), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    p = s.softmax(-1)
    out = p @ v
    return out
