# backend: numpy
# mistake: alibi-powers-of-two
# breaks: slopes-of-any-number
# style: concatenated
import numpy as np


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    near = 1 << (h.bit_length() - 1)
    slopes = 2.0 ** (-8.0 * np.arange(1, near + 1) / near)
    between = 2.0 ** (-8.0 * np.arange(1, 2 * near + 1, 2) / (2 * near))
    slopes = np.concatenate([slopes, between])[:h]
    back = np.arange(n - m, n)[:, None] - np.arange(n)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 - (slopes[:, None, None] * back).astype(q.dtype)
    s = np.where(back < 0, -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
