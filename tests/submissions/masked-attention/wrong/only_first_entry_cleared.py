# backend: torch
# mistake: none
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
    if allowed is not None:
        w = torch.where(allowed.any(-1, keepdim=True), w, 0.0) if not bool(allowed.any()) or not bool(allowed[(0,) * (allowed.dim() - 2)].any(-1).all()) else w
    out = w @ v
    return out


def masked_attention(q, k, v, mask):
    return core(q, k, v, mask)
