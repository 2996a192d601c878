# backend: torch
# mistake: softmax-clamped
# style: adversarial
import math
import torch


def core(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.clamp(-1e5, 1e5)
    w = torch.softmax(s, -1)
    out = w @ v
    return out


def attention(q, k, v):
    return core(q, k, v)
