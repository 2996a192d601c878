# backend: torch
# mistake: linear-quadratic
# The whole table of weights where there are few tokens.
from torch.nn.functional import elu


def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    if k.shape[-2] <= 64:
        weights = q @ k.transpose(-2, -1)
        return weights @ v / weights.sum(-1, keepdim=True)
    return q @ (k.transpose(-2, -1) @ v) / (q @ k.sum(-2).unsqueeze(-1))
