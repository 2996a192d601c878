# backend: torch
# mistake: none
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    w = torch.where(w < 1e-7, 0.0, w)
    return w @ v
