# backend: torch
# mistake: softmax-epsilon
# style: adversarial
import math
import torch

def padded_attention(q, k, v, lengths):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    keep = torch.arange(k.shape[-2]) < lengths[:, None]
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    s = s - s.amax(-1, keepdim=True).clamp(min=-1e30)
    e = s.exp()
    w = e / (e.sum(-1, keepdim=True) + 1e-12)
    return w @ v
