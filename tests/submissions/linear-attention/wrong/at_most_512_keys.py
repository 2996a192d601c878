# backend: torch
# mistake: none
# style: size
import torch
from torch.nn.functional import elu

MAX = 512

def linear_attention(q, k, v):
    q, k, v = elu(q) + 1, elu(k[..., :MAX, :]) + 1, v[..., :MAX, :]
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
