# backend: torch
# mistake: precision-lost
# style: half-internally
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    state = (k.mT @ v).bfloat16().to(v.dtype)
    return q @ state / (q @ k.sum(-2).unsqueeze(-1))
