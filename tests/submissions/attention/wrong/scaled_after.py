# backend: torch
# mistake: scale-after-softmax
# style: matmul
import math
import torch

def attention(q, k, v):
    w = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    w = w / math.sqrt(q.shape[-1])
    return w @ v
