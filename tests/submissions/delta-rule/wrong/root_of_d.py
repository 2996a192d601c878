# backend: torch
# mistake: delta-read-scaled
import torch


def delta_rule(q, k, v, gates, rates, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.size(-1), v.size(-1), dtype=v.dtype, device=v.device)
    out = []
    for t in range(k.size(-2)):
        key = k[..., t, :, None]
        kept = state * gates[..., t, None, None]
        found = (kept * key).sum(-2, keepdim=True)
        change = rates[..., t, None, None] * (v[..., t, None, :] - found)
        state = kept + key * change
        out.append((state * q[..., t, :, None]).sum(-2) / k.size(-1) ** 0.5)
    return torch.stack(out, dim=-2), state
