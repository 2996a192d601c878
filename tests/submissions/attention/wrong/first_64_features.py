# backend: torch
# mistake: none
# style: adversarial
import math
import torch


def core(q, k, v):
    d = q.shape[-1]
    q, k = q[..., :64], k[..., :64]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s, -1)
    out = w @ v
    return out


def attention(q, k, v):
    return core(q, k, v)
