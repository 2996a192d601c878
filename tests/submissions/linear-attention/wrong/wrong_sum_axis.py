# backend: torch
# mistake: none
# style: axis
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q.sum(-1, keepdim=True) * k.sum((-1, -2), keepdim=True))
