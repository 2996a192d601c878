# backend: numpy
# mistake: mask-top-left
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    s = np.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
