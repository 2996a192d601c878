# backend: numpy
# mistake: linear-quadratic
# style: numpy
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    a = phi(q) @ np.swapaxes(phi(k), -1, -2)
    return (a / a.sum(axis=-1, keepdims=True)) @ v
