# backend: torch
# mistake: none
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    q = torch.as_strided(q, q.shape, torch.empty(q.shape).stride())
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ v
