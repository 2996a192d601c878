# backend: torch
# mistake: none
# style: values
import torch
from torch.nn.functional import elu

def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    out = q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
    return torch.where(out.abs() < 1e-5, torch.zeros_like(out), out)
