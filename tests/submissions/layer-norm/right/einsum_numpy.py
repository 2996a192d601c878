# backend: numpy
# style: einsum
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    d = x.shape[-1]
    centred = x - np.einsum("...d->...", x)[..., None] / d
    square = np.einsum("...d,...d->...", centred, centred)[..., None] / d
    return (gain * centred / (square + eps) ** 0.5 + bias).astype(x.dtype)
