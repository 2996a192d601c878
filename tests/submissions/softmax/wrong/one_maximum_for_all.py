# backend: numpy
# mistake: none
# style: numpy
import numpy as np

def softmax(x):
    # rows far below the largest row underflow to 0 / 0
    e = np.exp(x - np.max(x, initial=-1e30).astype(x.dtype))
    return e / e.sum(-1, keepdims=True)
