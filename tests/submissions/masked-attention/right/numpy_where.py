# backend: numpy
# style: numpy
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    s = np.where(mask, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * mask
    z = e.sum(-1, keepdims=True)
    w = np.divide(e, z, out=np.zeros_like(e), where=z > 0)
    return np.einsum("...mn,...nv->...mv", w, v)
