# backend: numpy
# mistake: precision-lost
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    real = (np.arange(k.shape[1]) < lengths[:, None])[:, None]
    s = (q.astype(np.float16) @ k.astype(np.float16).swapaxes(1, 2)).astype(q.dtype) / q.shape[-1] ** 0.5
    s = np.where(real, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * real
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1) @ v
