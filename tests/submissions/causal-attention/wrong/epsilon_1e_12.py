# backend: torch
# mistake: softmax-epsilon
# style: adversarial
import math
import torch

def causal_attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    m, n = s.shape[-2:]
    s = s.masked_fill(~torch.ones(m, n, dtype=torch.bool).tril(n - m), float("-inf"))
    s = s - s.amax(-1, keepdim=True).clamp(min=-1e30)
    e = s.exp()
    w = e / (e.sum(-1, keepdim=True) + 1e-12)
    return w @ v
