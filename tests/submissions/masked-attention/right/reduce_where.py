# backend: numpy
import numpy as np


def masked_attention(q, k, v, mask):
    s = np.einsum("...md,...nd->...mn", q, k) / np.sqrt(q.shape[-1])
    mask = np.broadcast_to(mask, s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    top[np.isneginf(top)] = 0
    e = np.exp(s - top, where=mask, out=np.zeros_like(s))
    z = e.sum(axis=-1, keepdims=True)
    np.divide(e, z, out=e, where=z > 0)
    return np.einsum("...mn,...nc->...mc", e, v).astype(v.dtype)
