# backend: numpy
# mistake: linear-feature-map-on-one-side
# style: numpy
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    q = phi(q)
    return (q @ (k.swapaxes(-1, -2) @ v)) / (q @ k.sum(-2)[..., None])
