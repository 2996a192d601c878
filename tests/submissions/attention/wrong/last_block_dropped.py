# backend: torch
# mistake: none
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    n = w.shape[-1] // 32 * 32 or w.shape[-1]
    w = w[..., :n]
    return w @ v[..., :n, :]
