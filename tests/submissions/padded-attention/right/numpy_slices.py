# backend: numpy
# style: numpy-loops
import numpy as np

def padded_attention(q, k, v, lengths):
    out = np.zeros((q.shape[0], q.shape[1], v.shape[2]), dtype=q.dtype)
    for b in range(q.shape[0]):
        n = int(lengths[b])
        if n == 0:
            continue
        s = q[b] @ k[b, :n].T / q.shape[-1] ** 0.5
        w = np.exp(s - s.max(axis=1, keepdims=True))
        out[b] = (w / w.sum(axis=1, keepdims=True)) @ v[b, :n]
    return out
