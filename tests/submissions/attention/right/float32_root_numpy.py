# backend: numpy
# style: adversarial
import numpy as np

def attention(q, k, v):
    s = np.einsum("...md,...nd->...mn", q, k) / np.float32(np.sqrt(q.shape[-1]))
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v
