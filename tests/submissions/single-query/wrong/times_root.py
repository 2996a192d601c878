# backend: numpy
# mistake: scale-multiplied
# style: numpy
import numpy as np

def attend(q, k, v):
    s = k @ q * len(q) ** 0.5
    e = np.exp(s - s.max())
    return e / e.sum() @ v
