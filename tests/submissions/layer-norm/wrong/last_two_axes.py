# backend: numpy
# mistake: norm-over-everything
# style: two axes
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    axes = (-2, -1)
    centred = x - x.mean(axis=axes, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps) * gain + bias
