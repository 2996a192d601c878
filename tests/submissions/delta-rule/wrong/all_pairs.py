# backend: torch
# mistake: delta-quadratic
# breaks: one-state
import torch


def delta_rule(q, k, v, gates, rates, state=None):
    """Correct each token by all tokens before it, without a state."""
    n, log = k.shape[-2], gates.log().cumsum(-1)
    decays = torch.exp((log[..., :, None] - log[..., None, :]).clamp(max=0)).tril()
    alike = (k @ k.mT * decays).tril(-1)
    value, out = v.clone(), torch.zeros_like(v)
    start = log.exp()[..., None]
    if state is not None:
        value = value - start * (k @ state)
        out = start * (q @ state)
    for t in range(n):
        before = alike[..., t, None, :] @ value
        value[..., t, :] = rates[..., t, None] * (value[..., t, :] - before[..., 0, :])
    out = out + (q @ k.mT * decays) @ value
    last = (k * decays[..., -1, :, None]).mT @ value
    return out, last if state is None else last + start[..., -1:, :] * state
