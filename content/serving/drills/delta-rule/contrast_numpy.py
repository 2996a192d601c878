# backend: numpy
import numpy as np


def delta_rule(q, k, v, gates, rates, state=None):
    """Correct each token by all tokens before it, without a state."""
    n, log = k.shape[-2], np.cumsum(np.log(gates), axis=-1)
    decays = np.tril(np.exp(np.minimum(log[..., :, None] - log[..., None, :], 0)))
    alike = np.tril(k @ k.swapaxes(-1, -2) * decays, -1)
    value, out = v.copy(), np.zeros_like(v)
    start = np.exp(log)[..., None]
    if state is not None:
        value = value - start * (k @ state)
        out = start * (q @ state)
    for t in range(n):
        before = alike[..., t, None, :] @ value
        value[..., t, :] = rates[..., t, None] * (value[..., t, :] - before[..., 0, :])
    out = out + (q @ k.swapaxes(-1, -2) * decays) @ value
    last = (k * decays[..., -1, :, None]).swapaxes(-1, -2) @ value
    return out, last if state is None else last + start[..., -1:, :] * state
