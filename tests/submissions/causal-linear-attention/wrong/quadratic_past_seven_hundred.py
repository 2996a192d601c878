# backend: torch
# mistake: linear-quadratic
# style: cheap-where-it-is-short
import torch
from torch import Tensor
from torch.nn.functional import elu


def causal_linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = elu(q) + 1, elu(k) + 1
    if k.shape[-2] > 700:
        weights = (q @ k.transpose(-2, -1)).tril()
        return weights @ v / weights.sum(dim=-1, keepdim=True)
    states = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(dim=-3)
    totals = k.cumsum(dim=-2)
    mixed = (q.unsqueeze(-2) @ states).squeeze(-2)
    return mixed / (q * totals).sum(dim=-1, keepdim=True)
