# backend: numpy
# mistake: positions-multiplied
# style: product
import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = np.outer(positions, base ** (-np.arange(0, d, 2) / d))
    return x * np.stack((np.sin(angle), np.cos(angle)), axis=-1).reshape(-1, d).astype(x.dtype)
