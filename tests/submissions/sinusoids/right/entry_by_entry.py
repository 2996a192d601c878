# backend: numpy
# style: loop over pairs
import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    out = x.copy()
    d = x.shape[-1]
    for i in range(d // 2):
        angle = positions * base ** (-2 * i / d)
        out[..., 2 * i] += np.sin(angle).astype(x.dtype)
        out[..., 2 * i + 1] += np.cos(angle).astype(x.dtype)
    return out
