# backend: numpy
# mistake: scale-by-value-width
import numpy as np


def attend(q, k, v):
    s = k @ q / v.shape[1] ** 0.5
    w = np.exp(s - s.max())
    return (w / w.sum()) @ v
