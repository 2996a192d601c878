"""A layer whose cache is one matrix, written by the gated delta rule."""

from dataclasses import dataclass

import numpy as np


def decay(state, gate):
    """The state that is left of the old one."""
    return gate[..., None, None] * state


def find(key, _old, kept):
    """What the state gives for a key: `(..., d_v)`."""
    return (key[..., None, :] @ kept)[..., 0, :]


def correction(value, found, rate):
    """What is missing of the value, as much of it as is written."""
    return rate[..., None] * (value - found)


def write(kept, key, change):
    """Add the change under the key."""
    return kept + key[..., :, None] * change[..., None, :]


def settle(new, _gate):
    """The state that goes on."""
    return new


def read(query, _key, _old, new):
    """What the query finds in the state."""
    return (query[..., None, :] @ new)[..., 0, :]


@dataclass(frozen=True)
class DeltaSteps:
    decay: object = decay
    find: object = find
    correction: object = correction
    write: object = write
    settle: object = settle
    read: object = read


STEPS = DeltaSteps()


def delta_rule(q, k, v, gates, rates, state=None, *, steps=STEPS):
    """What each token reads, `(..., n, d_v)`, and the state after the last, `(..., d_k, d_v)`."""
    if state is None:
        state = np.zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]), v.dtype)
    read = []
    for t in range(k.shape[-2]):
        key = k[..., t, :]
        kept = steps.decay(state, gates[..., t])
        change = steps.correction(v[..., t, :], steps.find(key, state, kept), rates[..., t])
        new = steps.settle(steps.write(kept, key, change), gates[..., t])
        read.append(steps.read(q[..., t, :], key, state, new))
        state = new
    return np.stack(read, axis=-2), state
