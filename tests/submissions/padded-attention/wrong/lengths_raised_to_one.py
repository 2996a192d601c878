# backend: numpy
# mistake: input-mutated
import numpy as np


def padded_attention(q, k, v, lengths):
    empty = lengths == 0
    lengths[empty] = 1
    seen = np.arange(k.shape[1]) < lengths[:, None]
    s = q @ k.transpose(0, 2, 1) / q.shape[-1] ** 0.5
    s = np.where(seen[:, None, :], s, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    out = w.astype(q.dtype) @ v
    out[empty] = 0
    return out
