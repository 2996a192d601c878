# backend: numpy
# style: numpy
import numpy as np

def padded_attention(q, k, v, lengths):
    ok = np.arange(k.shape[1])[None, None, :] < lengths[:, None, None]
    s = np.einsum("bmd,bnd->bmn", q, k) / q.shape[-1] ** 0.5
    s = np.where(ok, s, np.finfo(s.dtype).min)
    e = np.where(ok, np.exp(s - s.max(-1, keepdims=True)), 0).astype(q.dtype)
    z = e.sum(-1, keepdims=True)
    return np.einsum("bmn,bnv->bmv", e / np.maximum(z, np.finfo(z.dtype).tiny), v)
