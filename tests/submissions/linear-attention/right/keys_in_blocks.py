# backend: torch
# style: state-summed-block-by-block
import torch
from torch import Tensor
from torch.nn.functional import elu


def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = elu(q) + 1, elu(k) + 1
    state = torch.zeros_like(k[..., :1, :].transpose(-2, -1) @ v[..., :1, :])
    total = torch.zeros_like(k[..., 0, :])
    for keys, values in zip(k.split(100, dim=-2), v.split(100, dim=-2)):
        state = state + keys.transpose(-2, -1) @ values
        total = total + keys.sum(dim=-2)
    return (q @ state) / (q @ total.unsqueeze(-1))
