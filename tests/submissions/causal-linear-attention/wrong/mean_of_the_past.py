# backend: numpy
# mistake: linear-divided-by-position
import numpy as np


def causal_linear_attention(q, k, v):
    f = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = f(q), f(k)
    state = np.cumsum(k[..., :, None] * v[..., None, :], axis=-3)
    count = np.arange(1, q.shape[-2] + 1, dtype=q.dtype)[:, None]
    return np.einsum("...nd,...nde->...ne", q, state) / count
