# backend: numpy
# style: numpy-einsum
import numpy as np

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(w):
        return np.einsum("...nm,mhd->...hnd", x, w.reshape(w.shape[0], num_heads, w.shape[1] // num_heads))

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    s = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    ok = np.ones(s.shape, bool) if mask is None else np.broadcast_to(mask, s.shape)
    s = np.where(ok, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * ok
    z = e.sum(-1, keepdims=True)
    a = e / np.where(z > 0, z, 1)
    wo = w_o.reshape(num_heads, w_o.shape[0] // num_heads, w_o.shape[1])
    return np.einsum("...hij,...hjd,hdm->...im", a, v, wo)
