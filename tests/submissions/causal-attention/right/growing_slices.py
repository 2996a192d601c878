# backend: numpy
import numpy as np

def _visible(k, v, m):
    n = k.shape[-2]
    for i in range(m):
        end = i + n - m + 1
        yield i, k[..., :end, :], v[..., :end, :]

def causal_attention(q, k, v):
    out = np.zeros_like(q, shape=q.shape[:-1] + (v.shape[-1],))
    for i, keys, values in _visible(k, v, q.shape[-2]):
        s = np.einsum("...d,...nd->...n", q[..., i, :], keys) / np.sqrt(q.shape[-1])
        p = np.exp(s - np.amax(s, axis=-1, keepdims=True))
        out[..., i, :] = np.einsum("...n,...nv->...v", p, values) / p.sum(-1)[..., None]
    return out
