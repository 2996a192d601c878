# backend: torch
# mistake: linear-scaled
import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q = F.elu(q / q.shape[-1] ** 0.5) + 1
    k = F.elu(k) + 1
    return (q @ (k.mT @ v)) / (q @ k.sum(-2, keepdim=True).mT)
