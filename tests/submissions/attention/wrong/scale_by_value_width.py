# backend: torch
# mistake: scale-by-value-width
# breaks: width-of-a-query
# style: matmul
import math

def attention(q, k, v):
    s = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    return s.softmax(-1) @ v
