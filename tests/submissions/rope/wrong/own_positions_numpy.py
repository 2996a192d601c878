# backend: numpy
# mistake: rope-counted-anew
# breaks: positions-as-given
# style: arange
import numpy as np


def rope(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    angle = np.outer(np.arange(n), base ** (-np.arange(0, d, 2) / d))
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angle)
    return np.stack((z.real, z.imag), axis=-1).reshape(x.shape).astype(x.dtype)
