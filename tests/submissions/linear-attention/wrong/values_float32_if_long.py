# backend: numpy
# mistake: none
import numpy as np


def linear_attention(q, k, v):
    def phi(x):
        return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

    dtype = v.dtype
    q, k = phi(q), phi(k)
    if k.shape[-2] > 100:
        k, v = k.astype(np.float32), v.astype(np.float32)
    return ((q @ (k.swapaxes(-1, -2) @ v)) / (q @ k.sum(-2)[..., None])).astype(dtype)
