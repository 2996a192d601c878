# backend: torch
# style: unusual
import math
import torch

def soft(s):
    high, order = s.sort(-1, descending=True)
    w = torch.softmax(high, -1).nan_to_num(0.0)
    return torch.zeros_like(w).scatter(-1, order, w)

def core(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = soft(s)
    out = w @ v
    return out


def attend(q, k, v):
    return core(q[None], k, v)[0]
