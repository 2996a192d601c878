# backend: torch
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / (math.sqrt(d) * math.log(2.0))
    top = s.amax(-1, keepdim=True)
    e = torch.exp2(s - torch.where(torch.isinf(top), 0.0, top))
    total = e.sum(-1, keepdim=True)
    w = e / torch.where(total == 0, 1.0, total)
    return w @ v
