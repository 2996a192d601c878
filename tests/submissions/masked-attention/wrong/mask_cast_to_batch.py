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
        if allowed.dim() == 3 and s.dim() == 4:
            allowed = allowed[:, None] if allowed.shape[0] == s.shape[0] else allowed
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def masked_attention(q, k, v, mask):
    return core(q, k, v, mask)
