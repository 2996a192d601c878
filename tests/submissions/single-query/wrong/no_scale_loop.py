# backend: numpy
# mistake: scale-missing
# style: loops
import numpy as np

def attend(q, k, v):
    s = np.array([np.dot(q, row) for row in k], dtype=q.dtype)
    e = np.exp(s - s.max())
    return (e / e.sum()) @ v
