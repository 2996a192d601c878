# backend: torch
# style: adversarial
import math
import torch

def causal_attention(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    m, n = s.shape[-2:]
    s = s.masked_fill(~torch.ones(m, n, dtype=torch.bool).tril(n - m), float("-inf"))
    w = Weights.apply_to(s)
    return w @ v


class Weights:
    @staticmethod
    def apply_to(s):
        return torch.nan_to_num(torch.nn.Softmax(dim=-1)(s), nan=0.0)
