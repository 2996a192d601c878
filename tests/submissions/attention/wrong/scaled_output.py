# backend: numpy
# mistake: scale-after-softmax
# style: numpy
import numpy as np

def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    out = (e / e.sum(axis=-1, keepdims=True)) @ v
    return out / float(q.shape[-1]) ** 0.5
