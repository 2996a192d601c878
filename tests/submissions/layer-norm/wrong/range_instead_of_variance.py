# backend: numpy
# mistake: none
# style: largest minus smallest
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    span = x.max(-1, keepdims=True) - x.min(-1, keepdims=True)
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(span + eps) * gain + bias
