# backend: torch
# mistake: gradient-wrong
# style: detach
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1)).detach()
