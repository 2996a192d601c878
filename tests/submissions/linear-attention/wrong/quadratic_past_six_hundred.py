# backend: torch
# mistake: linear-quadratic
# style: cheap-where-it-is-short
from torch import Tensor
from torch.nn.functional import elu


def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = elu(q) + 1, elu(k) + 1
    total = k.sum(dim=-2).unsqueeze(-1)
    if k.shape[-2] > 600:
        return (q @ k.transpose(-2, -1)) @ v / (q @ total)
    return (q @ (k.transpose(-2, -1) @ v)) / (q @ total)
