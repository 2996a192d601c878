# backend: numpy
# style: unusual
import numpy as np

def attend(q, k, v):
    s = np.inner(k, q) / np.sqrt(q.size)
    return np.average(v, axis=0, weights=np.exp(s - s.max())).astype(v.dtype)
