# backend: numpy
# mistake: none
# breaks: empty-part
import numpy as np


def partial_attention(q, k, v):
    s = np.einsum("hmd,hnd->hmn", q, k) * q.dtype.type(q.shape[-1] ** -0.5)
    lse = np.logaddexp.reduce(s, axis=-1)
    return np.exp(s - lse[..., None]) @ v, lse


def merge(outputs, lses):
    out, lse = np.zeros_like(outputs[0]), np.full_like(lses[0], -np.inf)
    for o, l in zip(outputs, lses):
        both = np.logaddexp(lse, l)
        out = np.exp(lse - both)[..., None] * out + np.exp(l - both)[..., None] * o
        lse = np.logaddexp(lse, l)
    return out, lse
