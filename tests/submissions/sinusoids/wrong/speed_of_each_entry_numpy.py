# backend: numpy
# mistake: waves-speed-of-each-entry
# breaks: one-speed-a-pair
# style: loop over entries
import numpy as np


def add_sinusoids(x, positions, base=10000.0):
    d = x.shape[-1]
    out = x.copy()
    for j in range(d):
        wave = (np.sin, np.cos)[j % 2](positions / base ** (j / d))
        out[..., j] += wave.astype(x.dtype)
    return out
