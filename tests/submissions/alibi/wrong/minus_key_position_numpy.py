# backend: numpy
# mistake: alibi-sign
# breaks: near-keys-first
# style: position of the key, subtracted
import numpy as np


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    slopes = 2.0 ** (-8.0 * np.arange(1, h + 1) / h)
    back = np.arange(n - m, n)[:, None] - np.arange(n)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 - (slopes[:, None, None] * np.arange(n)).astype(q.dtype)
    s = np.where(back < 0, -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
