# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    e = np.exp(q @ np.repeat(k, r, 1).swapaxes(2, 3) / q.shape[-1] ** 0.5)
    return e / e.sum(-1, keepdims=True) @ np.repeat(v, r, 1)
