# backend: numpy
# mistake: norm-over-positions
# style: axis 0
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    return (x - x.mean(0)) / np.sqrt(x.var(0) + eps) * gain + bias
