# backend: numpy
# mistake: mask-after-softmax
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.tril(w, k.shape[-2] - q.shape[-2]) @ v
