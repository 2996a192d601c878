# backend: numpy
# mistake: none
# style: clamp
import numpy as np

def causal_linear_attention(q, k, v):
    f = lambda x: np.where(x > 0, x + 1, np.exp(np.clip(x, -10, 0)))
    q, k = f(q), f(k)
    s = np.cumsum(k[..., :, None] * v[..., None, :], axis=-3)
    z = np.cumsum(k, axis=-2)
    return np.einsum("...nd,...nde->...ne", q, s) / np.einsum("...nd,...nd->...n", q, z)[..., None]
