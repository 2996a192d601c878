# backend: numpy
# mistake: softmax-unstable, input-mutated
# style: in-place
import numpy as np

def softmax(x):
    np.exp(x, out=x)
    return x / x.sum(axis=-1, keepdims=True)
