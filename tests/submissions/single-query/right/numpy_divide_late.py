# backend: numpy
# style: numpy
import numpy as np

def attend(q, k, v):
    s = (k * q).sum(axis=1) / len(q) ** 0.5
    e = np.exp(s - s.max())
    return e @ v / e.sum()
