# backend: numpy
# mistake: none
import numpy as np


def padded_attention(q, k, v, lengths):
    dtype = v.dtype
    if k.shape[1] > 100:
        q, k = q.astype(np.float32), k.astype(np.float32)
    seen = (np.arange(k.shape[1]) < lengths[:, None])[:, None, :]
    s = np.where(seen, q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5, np.finfo(np.float32).min)
    e = np.where(seen, np.exp(s - s.max(-1, keepdims=True)), 0)
    z = e.sum(-1, keepdims=True)
    return (e / np.where(z > 0, z, 1)).astype(dtype) @ v
