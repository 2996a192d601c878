# backend: torch
# mistake: values-are-keys
# style: matmul
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ k) / (q @ k.sum(-2).unsqueeze(-1))
