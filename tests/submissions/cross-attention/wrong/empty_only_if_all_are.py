# backend: numpy
# mistake: none
import numpy as np


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def heads(t, w):
        y = t @ w
        return y.reshape(*y.shape[:2], num_heads, w.shape[1] // num_heads).transpose(0, 2, 1, 3)

    if context_mask is not None and not context_mask.any():
        return np.zeros_like(x)
    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    s = q @ k.swapaxes(2, 3) / q.shape[3] ** 0.5
    if context_mask is not None:
        s = np.where(context_mask[:, None, None, :], s, -np.inf).astype(s.dtype)
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    y = (w @ v).transpose(0, 2, 1, 3)
    return y.reshape(*y.shape[:2], w_o.shape[0]) @ w_o
