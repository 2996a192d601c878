# backend: numpy
# mistake: linear-feature-map-on-one-side
import numpy as np


def linear_attention(q, k, v):
    k = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    state = k.swapaxes(-1, -2) @ v
    z = k.sum(axis=-2)[..., None]
    return (q @ state) / (q @ z)
