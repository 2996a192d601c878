# backend: numpy
# mistake: softmax-over-heads
# style: numpy-einsum
import numpy as np

def softmax(s, axis=-1):
    top = s.max(axis=axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    z = e.sum(axis=axis, keepdims=True)
    return e / np.where(z > 0, z, 1)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    cut = lambda w: np.einsum("...nm,mhd->...hnd", x, w.reshape(len(w), num_heads, w.shape[1] // num_heads))
    q, k, v = cut(w_q), cut(w_k), cut(w_v)
    s = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    o = np.moveaxis(softmax(s, axis=-3) @ v, -3, -2)
    return o.reshape(*x.shape[:-1], w_o.shape[0]) @ w_o
