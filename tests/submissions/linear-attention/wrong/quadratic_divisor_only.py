# backend: torch
# mistake: linear-quadratic
# style: matmul
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    divisor = (q @ k.mT).sum(-1, keepdim=True)
    return q @ (k.mT @ v) / divisor
