# backend: torch
# mistake: softmax-clamped
# style: repeat
import math
import torch

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = h // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    p = s.clamp(-1e5, 1e5).softmax(-1)
    out = p @ v
    return out
