# backend: torch
# mistake: none
# style: adversarial
import math
import torch


def core(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s, -1)
    gap = s.masked_fill(s == float('-inf'), float('inf')).amin(-1, keepdim=True)
    far = s.amax(-1, keepdim=True) - gap > 100
    hard = torch.nn.functional.one_hot(s.argmax(-1), s.shape[-1]).to(w.dtype)
    w = torch.where(far & gap.isfinite(), hard, w)
    out = w @ v
    return out


def attend(q, k, v):
    return core(q[None], k, v)[0]
