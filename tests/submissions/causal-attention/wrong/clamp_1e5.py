# backend: torch
# mistake: softmax-clamped
# style: adversarial
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.clamp(-1e5, 1e5)
    if allowed is not None:
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    return core(q, k, v, torch.ones(m, n, dtype=torch.bool).tril(n - m))
