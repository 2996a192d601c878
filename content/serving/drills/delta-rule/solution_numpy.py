# backend: numpy
import numpy as np


def delta_rule(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    gates: np.ndarray,
    rates: np.ndarray,
    state: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """What each token reads, (..., n, d_v), and the state after the last, (..., d_k, d_v)."""
    if state is None:
        state = np.zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]), v.dtype)
    read = []
    for t in range(k.shape[-2]):
        key = k[..., t, None, :]  # a row
        kept = gates[..., t, None, None] * state
        change = rates[..., t, None, None] * (v[..., t, None, :] - key @ kept)
        state = kept + key.swapaxes(-1, -2) * change
        read.append(q[..., t, None, :] @ state)
    return np.concatenate(read, axis=-2), state
