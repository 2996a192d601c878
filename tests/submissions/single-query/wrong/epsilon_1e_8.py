# backend: numpy
# mistake: none
# style: epsilon
import numpy as np


def attend(q, k, v):
    s = k @ q / np.sqrt(q.shape[0])
    e = np.exp(s - s.max())
    return (e / (e.sum() + 1e-8)) @ v
