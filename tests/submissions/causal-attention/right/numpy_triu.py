# backend: numpy
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
    s[..., np.triu(np.ones((m, n), bool), n - m + 1)] = -np.inf
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.matmul(e, v) / e.sum(-1, keepdims=True)
