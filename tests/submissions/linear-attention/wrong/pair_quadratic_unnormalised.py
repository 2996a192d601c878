# backend: numpy
# mistake: linear-quadratic, linear-normaliser-missing
# style: numpy
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    return (phi(q) @ phi(k).swapaxes(-1, -2)) @ v
