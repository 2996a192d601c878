# backend: numpy
# style: loops
import numpy as np

def softmax(x):
    e = np.exp(x - max(x))
    return e / sum(e)

def grouped_query_attention(q, k, v):
    out = np.empty((*q.shape[:3], v.shape[-1]), dtype=q.dtype)
    for b, i, t in np.ndindex(*q.shape[:3]):
        j = i * k.shape[1] // q.shape[1]
        out[b, i, t] = softmax(k[b, j].dot(q[b, i, t]) / q.shape[-1] ** 0.5) @ v[b, j]
    return out
