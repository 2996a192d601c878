# backend: torch
# mistake: none
# style: clamp
import torch.nn.functional as F

def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return q @ (k.mT @ v) / (q @ k.sum(-2, keepdim=True).mT).clamp_min(1e-12)
