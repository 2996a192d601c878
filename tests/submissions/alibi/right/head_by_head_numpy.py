# backend: numpy
# style: loop over heads
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    out = np.empty((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    back = np.subtract.outer(np.arange(m) + n - m, np.arange(n))
    for head in range(h):
        slope = 2.0 ** (-8 * (head + 1) / h)
        s = q[..., head, :, :] @ k[..., head, :, :].swapaxes(-2, -1) / q.shape[-1] ** 0.5
        s = np.where(back >= 0, s - (slope * back).astype(q.dtype), -np.inf)
        out[..., head, :, :] = softmax(s) @ v[..., head, :, :]
    return out
