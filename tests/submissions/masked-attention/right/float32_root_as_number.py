# backend: torch
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / torch.tensor(math.sqrt(d), dtype=torch.float32).item()
    s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ v
