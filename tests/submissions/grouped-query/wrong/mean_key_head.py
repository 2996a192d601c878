# backend: numpy
# mistake: groups-averaged
# style: mean
import numpy as np

def grouped_query_attention(q, k, v):
    k, v = k.mean(1, keepdims=True), v.mean(1, keepdims=True)
    s = q @ k.swapaxes(2, 3) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
