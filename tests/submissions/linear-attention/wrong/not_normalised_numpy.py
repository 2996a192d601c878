# backend: numpy
# mistake: linear-normaliser-missing
# style: numpy
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    state = np.swapaxes(phi(k), -1, -2) @ v
    z = phi(k).sum(-2)
    return phi(q) @ state
