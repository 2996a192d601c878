# backend: numpy
# mistake: norm-bias-missing
# style: left out
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * gain
