# backend: torch
# mistake: softmax-clamped
# style: adversarial
import math
import torch

def padded_attention(q, k, v, lengths):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    keep = torch.arange(k.shape[-2]) < lengths[:, None]
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    w = torch.softmax(s.clamp(max=50.0), -1).nan_to_num(0.0)
    return w @ v
