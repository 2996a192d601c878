# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    e = np.exp(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5) * mask
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
