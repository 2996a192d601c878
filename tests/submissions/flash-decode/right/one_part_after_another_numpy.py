# backend: numpy
import numpy as np


def partial_attention(q, k, v):
    s = np.einsum("hmd,hnd->hmn", q, k) * q.dtype.type(q.shape[-1] ** -0.5)
    lse = np.logaddexp.reduce(s, axis=-1)
    return np.exp(s - lse[..., None]) @ v, lse


def merge(outputs, lses):
    out, lse = outputs[0].copy(), lses[0].copy()
    for o, l in zip(outputs[1:], lses[1:]):
        both = np.logaddexp(lse, l)
        both = np.where(np.isfinite(both), both, 0)  # nothing yet
        out = np.exp(lse - both)[..., None] * out + np.exp(l - both)[..., None] * o
        lse = np.logaddexp(lse, l)
    return out, lse
