# backend: numpy
# mistake: mask-excludes-self
# style: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    ok = np.arange(n) < (np.arange(m) + n - m)[:, None]
    s = np.where(ok, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(top), 0, top))
    z = e.sum(-1, keepdims=True)
    return e / np.where(z == 0, 1, z) @ v
