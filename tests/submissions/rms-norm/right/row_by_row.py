# backend: numpy
# style: loop over rows
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    out = np.zeros_like(x)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place]
        out[place] = gain * row / (np.mean(row * row) + eps) ** 0.5
    return out
