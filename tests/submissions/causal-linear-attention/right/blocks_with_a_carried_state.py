# backend: torch
# style: blocks-of-fifty
import torch
from torch import Tensor
from torch.nn.functional import elu


def causal_linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = elu(q) + 1, elu(k) + 1
    state, total, parts = 0, 0, []
    for start in range(0, k.shape[-2], 50):
        piece = slice(start, start + 50)
        queries, keys, values = q[..., piece, :], k[..., piece, :], v[..., piece, :]
        inside = (queries @ keys.transpose(-2, -1)).tril()
        state_now = torch.zeros_like(keys.transpose(-2, -1) @ values) + state
        total_now = torch.zeros_like(keys[..., :1, :].transpose(-2, -1)) + total
        mixed = inside @ values + queries @ state_now
        parts.append(mixed / (inside.sum(dim=-1, keepdim=True) + queries @ total_now))
        state = state_now + keys.transpose(-2, -1) @ values
        total = total_now + keys.sum(dim=-2).unsqueeze(-1)
    return torch.cat(parts, dim=-2) if parts else torch.zeros_like(v)
