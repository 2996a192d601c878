# backend: torch
# style: adversarial
import torch
from torch.nn.functional import elu

def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1) + 1e-6)
