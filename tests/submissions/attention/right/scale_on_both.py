# backend: torch
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    q, k = q * d**-0.25, k * d**-0.25
    s = q @ k.transpose(-1, -2)
    s = s / 1.0
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ v
