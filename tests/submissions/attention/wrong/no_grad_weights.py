# backend: torch
# mistake: not-differentiable
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    w = w.detach()
    return w @ v
