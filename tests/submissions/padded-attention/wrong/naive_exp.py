# backend: numpy
# mistake: softmax-unstable
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    real = (np.arange(k.shape[1]) < lengths[:, None])[:, None]
    e = np.exp(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5) * real
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
