# backend: torch
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / torch.tensor(math.sqrt(d), dtype=torch.float32).item()
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ v
