# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def attend(q, k, v):
    e = np.exp(k @ q / len(q) ** 0.5)
    return e / e.sum() @ v
