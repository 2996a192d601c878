# backend: torch
# mistake: none
# style: squeeze
import math

def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    if h == 1:
        k, v, q = k.squeeze(0), v.squeeze(0), q.squeeze(0)
        return (q @ k.mT / math.sqrt(d)).softmax(-1) @ v
    g = h // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    return (q @ k.mT / math.sqrt(d)).softmax(-1) @ v
