# backend: torch
# mistake: softmax-unstable
# style: adversarial
import math
import torch

def e_softmax(s):
    low = s.masked_fill(s == float('-inf'), float('inf')).amin(-1, keepdim=True)
    low = torch.where(low.isfinite(), low, 0.0)
    e = (s - low).exp()
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z > 0, z, 1.0)

def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    if allowed is not None:
        s = s.masked_fill(~allowed, float("-inf"))
    w = e_softmax(s)
    out = w @ v
    return out


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    return core(q, k, v, torch.ones(m, n, dtype=torch.bool).tril(n - m))
