# backend: numpy
# mistake: scale-by-d
# style: loops
import numpy as np

def attention(q, k, v):
    # average product per component
    s = np.mean(q[..., :, None, :] * k[..., None, :, :], axis=-1)
    s = np.exp(s - s.max(-1, keepdims=True))
    return (s / s.sum(-1, keepdims=True)) @ v
