# backend: torch
# style: adversarial
import math
import torch

def causal_attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    m, n = s.shape[-2:]
    s = s.masked_fill(~torch.ones(m, n, dtype=torch.bool).tril(n - m), float("-inf"))
    w = (s - torch.logsumexp(s, -1, keepdim=True)).exp()
    return w @ v
