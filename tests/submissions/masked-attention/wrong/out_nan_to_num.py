# backend: torch
# mistake: gradient-not-finite
# style: adversarial
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    if allowed is not None:
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1)
    out = w @ v
    out = out.nan_to_num(0.0)
    return out


def masked_attention(q, k, v, mask):
    return core(q, k, v, mask)
