# backend: numpy
# style: np.zeros
import numpy as np


def padded_attention(q, k, v, lengths):
    b, m, d = q.shape
    out = np.zeros((b, m, v.shape[-1]))
    for i in range(b):
        length = int(lengths[i])
        if length == 0:
            continue
        s = q[i] @ k[i, :length].T / np.sqrt(d)
        e = np.exp(s - s.max(axis=1)[:, None])
        out[i] = (e / e.sum(axis=1)[:, None]) @ v[i, :length]
    return out
