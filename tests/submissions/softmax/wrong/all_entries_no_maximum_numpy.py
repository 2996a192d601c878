# backend: numpy
# mistake: softmax-global
# style: plain
import numpy as np

def softmax(x):
    e = np.exp(x)
    return e / e.sum()
