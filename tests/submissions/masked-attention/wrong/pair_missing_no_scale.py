# backend: numpy
# mistake: mask-missing, scale-missing
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    s = q @ k.swapaxes(-1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
