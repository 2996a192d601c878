# backend: numpy
# style: in place on a copy
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    y = x.copy()
    y -= np.mean(y, axis=-1, keepdims=True)
    y /= np.sqrt(np.var(y, axis=-1, keepdims=True) + eps)
    y *= gain
    y += bias
    return y
