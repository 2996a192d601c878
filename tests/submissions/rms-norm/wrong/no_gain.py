# backend: numpy
# mistake: norm-gain-missing
# style: left out
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
