# backend: numpy
# mistake: linear-quadratic
# Sums up all earlier keys and values anew for every position: right, but a cost of n squared.
import numpy as np

def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = phi(q), phi(k)
    out = np.empty(q.shape[:-1] + v.shape[-1:], v.dtype)
    for i in range(q.shape[-2]):
        past = k[..., : i + 1, :]
        state = past.swapaxes(-1, -2) @ v[..., : i + 1, :]
        one = q[..., i : i + 1, :]
        out[..., i : i + 1, :] = one @ state / (one * past.sum(-2, keepdims=True)).sum(-1, keepdims=True)
    return out
