# backend: torch
# mistake: none
# style: adversarial
import math
import torch

def masked_attention(q, k, v, mask):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    n = w.shape[-1] // 32 * 32 or w.shape[-1]
    w = w[..., :n]
    return w @ v[..., :n, :]
