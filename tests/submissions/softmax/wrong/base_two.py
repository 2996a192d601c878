# backend: numpy
# mistake: none
# style: numpy
import numpy as np

def softmax(x):
    e = np.exp2(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
