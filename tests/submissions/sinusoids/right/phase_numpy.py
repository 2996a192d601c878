# backend: numpy
# style: cosine as a sine a quarter of a turn later
import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    entry = np.arange(d)
    angle = np.outer(positions, base ** (-2 * (entry // 2) / d))
    return (x + np.where(entry % 2 == 0, np.sin(angle), np.cos(angle))).astype(x.dtype)
