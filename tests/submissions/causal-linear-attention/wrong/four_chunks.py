# backend: numpy
# mistake: linear-quadratic
import numpy as np


def causal_linear_attention(q, k, v):
    def phi(x):
        return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

    q, k = phi(q), phi(k)
    n = q.shape[-2]
    size = max(1, -(-n // 4))
    state = np.zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]), k.dtype)
    total = np.zeros((*k.shape[:-2], k.shape[-1]), k.dtype)
    out = np.empty((*q.shape[:-1], v.shape[-1]), v.dtype)
    for a in range(0, n, size):
        part = np.s_[..., a : a + size, :]
        w = np.tril(q[part] @ k[part].swapaxes(-1, -2))
        top = w @ v[part] + q[part] @ state
        bottom = w.sum(-1, keepdims=True) + q[part] @ total[..., None]
        out[part] = top / bottom
        state = state + k[part].swapaxes(-1, -2) @ v[part]
        total = total + k[part].sum(-2)
    return out
