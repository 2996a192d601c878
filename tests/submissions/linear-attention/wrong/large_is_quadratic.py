# backend: numpy
# mistake: linear-quadratic
import numpy as np


def linear_attention(q, k, v):
    def phi(x):
        return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

    q, k = phi(q), phi(k)
    if k.shape[-2] >= 200:
        w = q @ k.swapaxes(-1, -2)
        return w / w.sum(-1, keepdims=True) @ v
    return (q @ (k.swapaxes(-1, -2) @ v)) / (q @ k.sum(-2)[..., None])
