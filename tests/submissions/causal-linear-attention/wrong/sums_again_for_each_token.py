# backend: torch
# mistake: linear-quadratic
# style: state-made-anew
import torch
from torch import Tensor
from torch.nn.functional import elu


def causal_linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = elu(q) + 1, elu(k) + 1
    rows = []
    for i in range(k.shape[-2]):
        keys, values = k[..., : i + 1, :], v[..., : i + 1, :]
        state = keys.transpose(-2, -1) @ values
        query = q[..., i : i + 1, :]
        rows.append(query @ state / (query @ keys.sum(dim=-2).unsqueeze(-1)))
    return torch.cat(rows, dim=-2)
