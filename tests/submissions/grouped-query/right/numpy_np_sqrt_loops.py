# backend: numpy
# style: np.zeros
import numpy as np


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    group = h // k.shape[1]
    out = np.zeros((b, h, m, v.shape[-1]))
    for i in range(h):
        s = q[:, i] @ k[:, i // group].transpose(0, 2, 1) / np.sqrt(d)
        s = np.exp(s - s.max(axis=2, keepdims=True))
        out[:, i] = s / s.sum(axis=2, keepdims=True) @ v[:, i // group]
    return out
