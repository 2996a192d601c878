# backend: numpy
# mistake: input-mutated
# style: in-place
import numpy as np

def attention(q, k, v):
    np.multiply(k, k.shape[-1] ** -0.5, out=k)
    s = q @ k.swapaxes(-1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
