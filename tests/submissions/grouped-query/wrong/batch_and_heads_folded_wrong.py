# backend: torch
# mistake: none
# style: repeat
import math
import torch

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = h // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = (q.transpose(0, 1).reshape(b * h, m, d) @ k.transpose(0, 1).reshape(b * h, -1, d).mT / math.sqrt(d)).reshape(b, h, m, -1) if b == h else q @ k.mT / math.sqrt(d)
    p = s.softmax(-1)
    out = p @ v
    return out
