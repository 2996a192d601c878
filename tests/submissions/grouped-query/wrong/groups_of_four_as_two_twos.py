# backend: torch
# mistake: none
# style: repeat
import math
import torch

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = h // k.shape[1]
    while k.shape[1] * 2 <= h and g % 4 == 0:
        k, v = torch.cat([k, k], 1), torch.cat([v, v], 1)
    g = h // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    p = s.softmax(-1)
    out = p @ v
    return out
