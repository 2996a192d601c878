# backend: torch
# mistake: scale-multiplied
# style: matmul
import math

def attention(q, k, v):
    scores = q @ k.transpose(-1, -2)
    scores = scores * math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v
