# backend: numpy
# mistake: input-mutated
import numpy as np


def softmax(x):
    e = np.asarray(x, dtype=np.float64)
    e -= e.max(axis=-1, keepdims=True)
    np.exp(e, out=e)
    e /= e.sum(axis=-1, keepdims=True)
    return e
