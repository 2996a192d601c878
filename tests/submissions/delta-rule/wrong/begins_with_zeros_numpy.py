# backend: numpy
# mistake: delta-state-ignored
# breaks: goes-on-from-a-state
import numpy as np


def delta_rule(q, k, v, gates, rates, state=None):
    state = np.zeros(k.shape[:-2] + (k.shape[-1], v.shape[-1]), v.dtype)
    out = np.empty(v.shape, v.dtype)
    for t in range(k.shape[-2]):
        key, b = k[..., t, :], rates[..., t, None]
        kept = gates[..., t, None, None] * state
        found = np.einsum("...k,...kv->...v", key, kept)
        change = b * (v[..., t, :] - found)
        state = kept + np.einsum("...k,...v->...kv", key, change)
        out[..., t, :] = np.einsum("...k,...kv->...v", q[..., t, :], state)
    return out, state
