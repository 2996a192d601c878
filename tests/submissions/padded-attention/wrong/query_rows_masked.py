# backend: numpy
# mistake: mask-on-queries
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    # the new axis stands last, so it is the queries that are cut off
    real = (np.arange(q.shape[1]) < lengths[:, None])[:, :, None]
    s = q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5
    s = np.where(real, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * real
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
