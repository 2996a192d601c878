# backend: numpy
# mistake: rope-half-split
# breaks: neighbours
# style: slices
import numpy as np


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-2 * np.arange(d // 2) / d)
    c, s = np.cos(angle), np.sin(angle)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate((a * c - b * s, a * s + b * c), axis=-1).astype(x.dtype)
