# backend: numpy
# mistake: scale-by-d, softmax-global
# style: numpy
import numpy as np

def attention(q, k, v):
    s = np.matmul(q, k.swapaxes(-1, -2)) / q.shape[-1]
    e = np.exp(s - np.max(s))
    return np.matmul(e / np.sum(e), v)
