# backend: numpy
# mistake: waves-in-halves
# breaks: alternating
# style: concatenate
import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = np.outer(positions, base ** (-np.arange(0, d, 2) / d))
    return x + np.concatenate((np.sin(angle), np.cos(angle)), axis=-1).astype(x.dtype)
