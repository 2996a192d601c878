# backend: torch
# mistake: input-mutated
# style: in-place
import math

def attention(q, k, v):
    q /= math.sqrt(q.shape[-1])
    return (q @ k.transpose(-2, -1)).softmax(-1) @ v
