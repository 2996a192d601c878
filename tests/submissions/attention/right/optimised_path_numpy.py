# backend: numpy
# style: adversarial
import numpy as np

def attention(q, k, v):
    s = np.einsum("...md,...nd->...mn", q, k, optimize=True) / q.dtype.type(np.sqrt(q.shape[-1]))
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    return np.einsum("...mn,...nd->...md", s, v, optimize="greedy")
