# backend: numpy
# mistake: eps-outside-root
# style: root first
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    rms = np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True))
    return gain * (x / (rms + eps))
