# backend: torch
# style: adversarial
import math
import torch

def padded_attention(q, k, v, lengths):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    keep = torch.arange(k.shape[-2]) < lengths[:, None]
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    z = torch.logsumexp(s, -1, keepdim=True)
    w = torch.where(torch.isinf(z), 0.0, (s - z).exp())
    return w @ v
