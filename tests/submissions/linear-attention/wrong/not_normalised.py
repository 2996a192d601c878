# backend: torch
# mistake: linear-normaliser-missing
# breaks: weighted-mean
# style: matmul
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    return phi(q) @ (phi(k).mT @ v)
