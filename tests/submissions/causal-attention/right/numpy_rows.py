# backend: numpy
# style: numpy-loops
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    out = np.empty(q.shape[:-1] + v.shape[-1:], dtype=v.dtype)
    for i in range(m):
        upto = n - m + i + 1
        s = np.einsum("...d,...nd->...n", q[..., i, :], k[..., :upto, :]) / q.shape[-1] ** 0.5
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        out[..., i, :] = np.einsum("...n,...nv->...v", w, v[..., :upto, :])
    return out
