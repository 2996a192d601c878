# backend: torch
import torch
from torch import Tensor


def delta_rule(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    gates: Tensor,
    rates: Tensor,
    state: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """What each token reads, (..., n, d_v), and the state after the last, (..., d_k, d_v)."""
    if state is None:
        state = v.new_zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]))
    read = []
    for t in range(k.shape[-2]):
        key = k[..., t, None, :]  # a row
        kept = gates[..., t, None, None] * state
        change = rates[..., t, None, None] * (v[..., t, None, :] - key @ kept)
        state = kept + key.mT * change
        read.append(q[..., t, None, :] @ state)
    return torch.cat(read, dim=-2), state
