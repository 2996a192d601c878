# backend: numpy
# mistake: none
# Takes the width of a head to be d_model // num_heads, which is wrong when h * d_head differs from d_model.
import numpy as np

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(t):
        t = t.reshape(t.shape[:-1] + (num_heads, t.shape[-1] // num_heads))
        return np.moveaxis(t, -2, -3)
    d_head = x.shape[-1] // num_heads
    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    s = q @ k.swapaxes(-1, -2) * d_head ** -0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(-1, keepdims=True)
    o = np.moveaxis(e / np.where(z == 0, 1, z) @ v, -3, -2)
    return o.reshape(o.shape[:-2] + (-1,)) @ w_o
