# backend: torch
# style: adversarial
import math
import torch

def attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = Weights.apply_to(s)
    return w @ v


class Weights:
    @staticmethod
    def apply_to(s):
        return torch.nan_to_num(torch.nn.Softmax(dim=-1)(s), nan=0.0)
