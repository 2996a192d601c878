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
    w = w.nan_to_num(0.0) if allowed is None or allowed.any() else w
    out = w @ v
    return out


def padded_attention(q, k, v, lengths):
    return core(q, k, v, (torch.arange(k.shape[-2]) < lengths[:, None])[:, None, :])
