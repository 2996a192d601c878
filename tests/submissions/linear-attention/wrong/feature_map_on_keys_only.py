# backend: torch
# mistake: linear-feature-map-on-one-side
# style: matmul
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    k = phi(k)
    return (q @ (k.mT @ v)) / (q @ k.sum(-2, keepdim=True).mT)
