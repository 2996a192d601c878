# backend: numpy
# mistake: rms-centred
# breaks: not-centred
# style: np.var
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    return x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) * gain
