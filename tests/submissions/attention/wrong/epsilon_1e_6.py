# backend: torch
# mistake: softmax-epsilon
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s - s.amax(-1, keepdim=True).clamp(min=-1e30)
    e = s.exp()
    w = e / (e.sum(-1, keepdim=True) + 1e-6)
    return w @ v
