# backend: numpy
# style: loop
import numpy as np


def rope(x, positions, base=10000.0):
    out = np.zeros_like(x)
    d = x.shape[-1]
    for i in range(d // 2):
        angle = positions * base ** (-2 * i / d)
        c, s = np.cos(angle), np.sin(angle)
        out[..., 2 * i] = c * x[..., 2 * i] - s * x[..., 2 * i + 1]
        out[..., 2 * i + 1] = s * x[..., 2 * i] + c * x[..., 2 * i + 1]
    return out
