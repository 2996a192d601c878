# backend: torch
# mistake: linear-divided-by-count
# style: normaliser
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    return phi(q) @ (phi(k).mT @ v) / k.shape[-2]
