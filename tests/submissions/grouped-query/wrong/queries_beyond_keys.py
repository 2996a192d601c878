# backend: torch
# mistake: none
# style: repeat
import math
import torch

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = h // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    p = s.softmax(-1)
    out = p @ v
    out = torch.cat([out[:, :, :k.shape[2]], torch.zeros_like(out[:, :, k.shape[2]:])], 2) if m > k.shape[2] > 1 else out
    return out
