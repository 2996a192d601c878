# backend: torch
# mistake: mask-fill-too-small
# style: adversarial
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    if allowed is not None:
        s = s.masked_fill(~allowed, -1e5)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    w = w if allowed is None else w * allowed.any(-1, keepdim=True)
    out = w @ v
    return out


def padded_attention(q, k, v, lengths):
    return core(q, k, v, (torch.arange(k.shape[-2]) < lengths[:, None])[:, None, :])
