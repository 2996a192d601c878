# backend: numpy
# style: einsum
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    square = np.einsum("...d,...d->...", x, x) / x.shape[-1]
    return np.einsum("...d,...,d->...d", x, 1 / np.sqrt(square + eps), gain).astype(x.dtype)
