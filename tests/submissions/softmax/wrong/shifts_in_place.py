# backend: numpy
# mistake: input-mutated
# style: in-place
import numpy as np

def softmax(x):
    x -= x.max(-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)
