# backend: numpy
# style: numpy-einsum
import numpy as np

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    cut = lambda w: w.reshape(len(w), h, w.shape[1] // h)
    q = np.einsum("bmc,chd->bhmd", x, cut(w_q))
    k = np.einsum("bnc,chd->bhnd", context, cut(w_k))
    v = np.einsum("bnc,chd->bhnd", context, cut(w_v))
    s = np.einsum("bhmd,bhnd->bhmn", q, k) / q.shape[-1] ** 0.5
    keep = np.ones((len(x), 1, 1, context.shape[1]), bool) if context_mask is None else context_mask[:, None, None]
    e = masked_exp(s, keep)
    z = e.sum(-1, keepdims=True)
    a = e / np.where(z == 0, 1, z)
    return np.einsum("bhmn,bhnd,hdc->bmc", a, v, w_o.reshape(h, len(w_o) // h, w_o.shape[1]))

def masked_exp(s, keep):
    s = np.where(keep, s, np.finfo(s.dtype).min)
    return np.exp(s - s.max(-1, keepdims=True)) * keep
