# backend: numpy
# mistake: none
import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(w):
        y = x @ w
        return y.reshape(*y.shape[:-1], num_heads, w.shape[1] // num_heads).swapaxes(-2, -3)

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    s = q @ k.swapaxes(-1, -2) / (x.shape[-1] / num_heads) ** 0.5
    mask = np.array(True) if mask is None else mask
    s = np.where(mask, s, np.finfo(s.dtype).min)
    w = np.exp(s - s.max(-1, keepdims=True)) * mask
    w = w / np.maximum(w.sum(-1, keepdims=True), np.finfo(s.dtype).tiny)
    y = (w @ v).swapaxes(-2, -3)
    return y.reshape(*y.shape[:-2], w_o.shape[0]) @ w_o
