# backend: numpy
import numpy as np


def causal_linear_attention(q, k, v):
    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    q, k = phi(q), phi(k)
    pairs = k[..., :, np.newaxis] * v[..., np.newaxis, :]
    states = np.add.accumulate(pairs, axis=-3, dtype=np.float64)
    totals = np.add.accumulate(k, axis=-2, dtype=np.float64)
    top = np.einsum("...nd,...ndc->...nc", q, states)
    bottom = np.einsum("...nd,...nd->...n", q, totals)
    return (top / bottom[..., np.newaxis]).astype(v.dtype)
