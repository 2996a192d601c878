# backend: torch
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = (s - torch.logsumexp(s, -1, keepdim=True)).exp()
    return w @ v
