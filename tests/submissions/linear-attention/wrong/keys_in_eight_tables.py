# backend: torch
# mistake: linear-quadratic
# Compares all queries with an eighth of the keys at a time: tables of m x n / 8.
import torch
import torch.nn.functional as F

def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    size = max(1, -(-k.shape[-2] // 8))
    num = den = 0
    for kb, vb in zip(k.split(size, -2), v.split(size, -2)):
        w = q @ kb.mT
        num = num + w @ vb
        den = den + w.sum(-1, keepdim=True)
    return num / den
