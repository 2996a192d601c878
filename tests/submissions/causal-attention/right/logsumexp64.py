# backend: torch
# style: log-sum-exp
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2:][0], k.shape[-2]
    s = q.double() @ k.double().transpose(-1, -2) / float(q.shape[-1]) ** 0.5
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(n - m + 1), float("-inf"))
    return (torch.exp(s - s.logsumexp(-1, keepdim=True)) @ v.double()).to(q.dtype)
