# backend: numpy
# mistake: mask-future-only
# style: loops
import numpy as np

def causal_attention(q, k, v):
    past = k.shape[-2] - q.shape[-2]
    out = np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
    for i in range(q.shape[-2]):
        s = (k[..., past + i:, :] * q[..., i:i + 1, :]).sum(-1) / q.shape[-1] ** 0.5
        e = np.exp(s - s.max(-1, keepdims=True))
        w = e / e.sum(-1, keepdims=True)
        out[..., i, :] = (w[..., None] * v[..., past + i:, :]).sum(-2)
    return out
