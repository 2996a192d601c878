# backend: torch
# mistake: softmax-clamped
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s.clamp(max=50.0), -1).nan_to_num(0.0)
    return w @ v
