# backend: torch
# style: adversarial
import math
import torch

def padded_attention(q, k, v, lengths):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / torch.tensor(math.sqrt(d), dtype=torch.float32).item()
    keep = torch.arange(k.shape[-2]) < lengths[:, None]
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ v
