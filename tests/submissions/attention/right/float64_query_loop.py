# backend: numpy
import numpy as np

def attention(q, k, v):
    rows = []
    scale = 1 / np.sqrt(q.shape[-1])
    for i in range(q.shape[-2]):
        one = q[..., i, :].astype(np.float64)
        s = (k * one[..., None, :]).sum(axis=-1) * scale
        w = np.exp(s - s.max(axis=-1, keepdims=True))
        w = w / w.sum(axis=-1, keepdims=True)
        rows.append((w[..., None] * v).sum(axis=-2))
    return np.stack(rows, axis=-2)
