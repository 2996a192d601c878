# backend: numpy
# style: numpy
import numpy as np

def flash_attention(q, k, v, block_size):
    n = k.shape[-2]
    scale = 1.0 / q.shape[-1] ** 0.5
    state = None
    for lo in range(0, n, block_size):
        hi = min(lo + block_size, n)
        s = np.einsum("...md,...nd->...mn", q, k[..., lo:hi, :]) * scale
        peak = s.max(-1)
        if state is not None:
            peak = np.maximum(peak, state[0])
        e = np.exp(s - peak[..., None])
        z, o = e.sum(-1), np.einsum("...mn,...nv->...mv", e, v[..., lo:hi, :])
        if state is not None:
            f = np.exp(state[0] - peak)
            z, o = z + f * state[1], o + f[..., None] * state[2]
        state = peak, z, o
    return state[2] / state[1][..., None]
