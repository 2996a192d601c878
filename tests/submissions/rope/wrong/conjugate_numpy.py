# backend: numpy
# mistake: rope-backwards
# style: complex numbers
import numpy as np


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(-1j * angle)
    return np.stack((z.real, z.imag), axis=-1).reshape(x.shape).astype(x.dtype)
