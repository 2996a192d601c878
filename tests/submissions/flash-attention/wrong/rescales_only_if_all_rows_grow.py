# backend: numpy
# mistake: none
# Rescales the sums only when the maximum of every row grew, so rows whose maximum grew alone keep sums against an old maximum.
import numpy as np

def flash_attention(q, k, v, block_size):
    d = q.shape[-1]
    n = k.shape[-2]
    top = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    total = np.zeros_like(top)
    out = np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
    for j in range(0, n, block_size):
        s = q @ k[..., j : j + block_size, :].swapaxes(-1, -2) / np.sqrt(d)
        new = np.maximum(top, s.max(-1, keepdims=True))
        if (new > top).all():
            out = out * np.exp(top - new)
            total = total * np.exp(top - new)
        p = np.exp(s - new)
        total = total + p.sum(-1, keepdims=True)
        out = out + p @ v[..., j : j + block_size, :]
        top = new
    return out / total
