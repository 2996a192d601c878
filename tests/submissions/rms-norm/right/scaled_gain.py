# backend: numpy
# style: the axis of features first
import numpy as np


def rms_norm(x, gain, eps=1e-5):
    features = np.moveaxis(x, -1, 0)
    scale = np.sqrt((features**2).mean(axis=0) + eps)
    return np.moveaxis(features / scale, 0, -1) * gain
