# backend: torch
# style: adversarial
import math
import torch

def padded_attention(q, k, v, lengths):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    keep = torch.arange(k.shape[-2]) < lengths[:, None]
    s = s.masked_fill(~keep[:, None, :], float("-inf"))
    w = Weights.apply_to(s)
    return w @ v


class Weights:
    @staticmethod
    def apply_to(s):
        return torch.nan_to_num(torch.nn.Softmax(dim=-1)(s), nan=0.0)
