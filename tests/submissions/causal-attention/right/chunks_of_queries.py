# backend: torch
# style: unusual
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    if q.shape[-2] > 2:
        size = -(-q.shape[-2] // 3)
        parts = [slice(i, i + size) for i in range(0, q.shape[-2], size)]
        pick = lambda p: None if allowed is None else allowed[..., p, :] if allowed.shape[-2] > 1 else allowed
        return torch.cat([core(q[..., p, :], k, v, pick(p)) for p in parts], -2)
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    if allowed is not None:
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    return core(q, k, v, torch.ones(m, n, dtype=torch.bool).tril(n - m))
