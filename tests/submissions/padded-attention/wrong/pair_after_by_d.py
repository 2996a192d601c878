# backend: numpy
# mistake: mask-after-softmax, scale-by-d
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    real = (np.arange(k.shape[1]) < lengths[:, None])[:, None]
    s = q @ k.swapaxes(1, 2) / q.shape[-1]
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) * real) @ v
