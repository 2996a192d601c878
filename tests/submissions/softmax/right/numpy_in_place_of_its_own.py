# backend: numpy
# style: any layout, any dtype
import numpy as np


def softmax(x):
    e = np.subtract(x, x.max(axis=-1)[..., None])
    np.exp(e, out=e)
    e /= e.sum(axis=-1)[..., None]
    return e
