# backend: numpy
# mistake: norm-over-everything
# breaks: each-row-alone
# style: no axis
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    return x / np.sqrt((x * x).mean() + eps) * gain
