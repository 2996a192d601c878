# backend: numpy
# mistake: softmax-of-negative
# Negates the scores, so the worst match weighs most.
import numpy as np

def attend(q, k, v):
    s = -(k @ q) / q.size ** 0.5
    e = np.exp(s - s.max())
    return e @ v / e.sum()
