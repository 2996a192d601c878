# backend: torch
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.masked_fill(~mask, float("-inf"))
    w = Weights.apply_to(s)
    return w @ v


class Weights:
    @staticmethod
    def apply_to(s):
        return torch.nan_to_num(torch.nn.Softmax(dim=-1)(s), nan=0.0)
