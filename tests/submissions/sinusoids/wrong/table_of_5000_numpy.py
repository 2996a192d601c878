# backend: numpy
# style: a table made beforehand, used from its beginning again
import numpy as np

LONGEST = 5000


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    angles = np.arange(LONGEST)[:, None] * base ** (-np.arange(0, d, 2) / d)
    table = np.empty((LONGEST, d), x.dtype)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return x + table[positions % LONGEST]
