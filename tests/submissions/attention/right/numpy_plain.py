# backend: numpy
# style: numpy
import numpy as np

def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)

def attention(q, k, v):
    d = q.shape[-1]
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / float(d) ** 0.5
    return np.matmul(softmax(scores), v)
