# backend: torch
# mistake: linear-scaled
# breaks: no-root
# style: scaled
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q / q.shape[-1] ** 0.5), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
