# backend: torch
# mistake: linear-quadratic
# breaks: table-of-weights
# style: matmul
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    a = phi(q) @ phi(k).mT
    a = a / a.sum(-1, keepdim=True)
    return a @ v
