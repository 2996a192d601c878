# backend: torch
# mistake: softmax-clamped
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s.clamp(max=50.0), -1).nan_to_num(0.0)
    return w @ v
