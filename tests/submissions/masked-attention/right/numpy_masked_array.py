# backend: numpy
# style: unusual
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.einsum("...xc,...yc->...xy", q, k) / np.sqrt(q.shape[-1]).astype(q.dtype)
    mask = np.broadcast_to(mask, s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=mask, initial=np.finfo(s.dtype).min)
    e = np.where(mask, np.exp(np.minimum(s - top, 0)), 0)
    z = e.sum(-1, keepdims=True)
    return (e @ v) / np.where(z == 0, z.dtype.type(1), z)
