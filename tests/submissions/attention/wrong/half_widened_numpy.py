# backend: numpy
# mistake: precision-lost
# style: dtype
import numpy as np

def attention(q, k, v):
    q, k, v = (a.astype(np.float16) for a in (q, k, v))
    s = (q @ k.swapaxes(-1, -2)).astype(np.float32) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
