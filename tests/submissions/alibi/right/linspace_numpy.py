# backend: numpy
import numpy as np

def alibi_attention(q, k, v):
    h, m, d = q.shape[-3:]; n = k.shape[-2]
    slopes = np.exp2(np.linspace(-8 / h, -8, h)).astype(q.dtype)
    p, j = np.ogrid[n - m:n, :n]
    s = np.einsum('...md,...nd->...mn', q, k) / np.sqrt(d).astype(q.dtype) - np.multiply.outer(slopes, (p - j)).astype(q.dtype)
    s = np.where(j <= p, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum('...mn,...nv->...mv', e / e.sum(-1, keepdims=True), v)
