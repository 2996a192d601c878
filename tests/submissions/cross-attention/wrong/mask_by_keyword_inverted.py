# backend: numpy
# mistake: mask-inverted
import numpy as np


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def heads(t, w):
        y = t @ w
        return y.reshape(*y.shape[:2], num_heads, w.shape[1] // num_heads).transpose(0, 2, 1, 3)

    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    s = q @ k.swapaxes(2, 3) / q.shape[3] ** 0.5
    real = np.ones((1, 1), bool) if context_mask is None else ~context_mask
    real = real[:, None, None, :]
    s = np.where(real, s, np.finfo(s.dtype).min)
    e = np.where(real, np.exp(s - s.max(-1, keepdims=True)), 0).astype(s.dtype)
    z = e.sum(-1, keepdims=True)
    y = (e / np.where(z > 0, z, 1).astype(s.dtype) @ v).transpose(0, 2, 1, 3)
    return y.reshape(*y.shape[:2], w_o.shape[0]) @ w_o
