# backend: numpy
# mistake: mask-nan-rows
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    pad = np.arange(k.shape[1]) >= lengths[:, None]
    s = np.where(pad[:, None], -np.inf, q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
