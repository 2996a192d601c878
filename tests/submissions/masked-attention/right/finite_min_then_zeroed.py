# backend: torch
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = torch.where(mask, s, torch.finfo(s.dtype).min)
    w = torch.softmax(s, -1) * mask
    return w @ v
