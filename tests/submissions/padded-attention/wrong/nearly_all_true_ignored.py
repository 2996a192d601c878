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
        s = s if allowed.float().mean() > 0.9 else s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def padded_attention(q, k, v, lengths):
    return core(q, k, v, (torch.arange(k.shape[-2]) < lengths[:, None])[:, None, :])
