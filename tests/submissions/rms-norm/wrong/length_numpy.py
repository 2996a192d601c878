# backend: numpy
# mistake: rms-summed
# breaks: mean-of-squares
# style: sum
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    return x / np.sqrt((x**2).sum(-1, keepdims=True) + eps) * gain
