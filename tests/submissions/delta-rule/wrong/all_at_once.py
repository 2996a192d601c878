# backend: torch
# mistake: delta-at-once
import torch


def delta_rule(q, k, v, gates, rates, state=None):
    if state is None:
        state = k.new_zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]))
    missing = v - k @ state  # of all tokens
    out = []
    for t in range(k.shape[-2]):
        change = rates[..., t, None, None] * missing[..., t, None, :]
        state = gates[..., t, None, None] * state + k[..., t, :, None] * change
        out.append(q[..., t, None, :] @ state)
    return torch.cat(out, -2), state
