# backend: numpy
# mistake: alibi-one-slope
# breaks: a-slope-for-each-head
# style: distance itself
import numpy as np


def alibi_attention(q, k, v):
    h, m, n = q.shape[-3], q.shape[-2], k.shape[-2]
    assert h > 0
    back = np.arange(n - m, n)[:, None] - np.arange(n)
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 - back.astype(q.dtype)
    s = np.where(back < 0, -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
