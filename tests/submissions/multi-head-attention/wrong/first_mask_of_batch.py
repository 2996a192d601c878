# backend: numpy
# mistake: none
# Applies the mask of the first batch entry to all of them when the mask has four axes.
import numpy as np

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(t):
        return np.moveaxis(t.reshape(*t.shape[:-1], num_heads, t.shape[-1] // num_heads), -2, -3)
    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask[0] if mask.ndim == 4 else mask
        s = np.where(mask, s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(-1, keepdims=True)
    o = np.moveaxis(e / np.where(z == 0, 1, z) @ v, -3, -2)
    return o.reshape(*o.shape[:-2], -1) @ w_o
