# backend: numpy
# mistake: values-are-keys
# style: einsum
import numpy as np

def attention(q, k, v):
    s = np.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    return np.einsum("...qk,...kd->...qd", s, k)
