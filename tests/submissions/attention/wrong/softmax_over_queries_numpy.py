# backend: numpy
# mistake: softmax-wrong-axis
# style: numpy
import numpy as np

def softmax(x, axis):
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)

def attention(q, k, v):
    scores = np.matmul(q, k.swapaxes(-1, -2)) / (q.shape[-1] ** 0.5)
    return np.matmul(softmax(scores, -2), v)
