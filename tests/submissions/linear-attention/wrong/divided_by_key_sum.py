# backend: numpy
# mistake: none
# style: normaliser
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    total = phi(k).sum((-1, -2), keepdims=True)
    return phi(q) @ (phi(k).swapaxes(-1, -2) @ v) / total
