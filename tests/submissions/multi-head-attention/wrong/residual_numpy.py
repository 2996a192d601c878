# backend: numpy
# mistake: residual-added
import numpy as np


def softmax(s):
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(top), 0, top).astype(s.dtype))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total).astype(s.dtype)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(t):
        return np.moveaxis(t.reshape(*t.shape[:-1], num_heads, -1), -2, -3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf).astype(s.dtype)
    o = np.moveaxis(softmax(s) @ v, -3, -2)
    return o.reshape(*o.shape[:-2], -1) @ w_o + x
