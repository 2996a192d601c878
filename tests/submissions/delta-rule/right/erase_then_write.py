# backend: torch
import torch


def delta_rule(q, k, v, gates, rates, state=None):
    """As a product: S <- alpha (I - beta k k^T) S + beta k v^T."""
    d = k.shape[-1]
    if state is None:
        state = k.new_zeros((*k.shape[:-2], d, v.shape[-1]))
    one = torch.eye(d, dtype=k.dtype, device=k.device)
    outs = []
    for key, value, query, a, b in zip(
        k.unbind(-2), v.unbind(-2), q.unbind(-2), gates.unbind(-1), rates.unbind(-1), strict=True
    ):
        a, b = a[..., None, None], b[..., None, None]
        key, value = key.unsqueeze(-1), value.unsqueeze(-2)
        state = a * (one - b * (key @ key.mT)) @ state + b * (key @ value)
        outs.append((query.unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, -2), state
