# backend: numpy
# mistake: linear-scaled
import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q, k, v):
    scale = q.shape[-1] ** -0.5
    q, k = phi(q), phi(k * scale)
    kv = np.einsum("...nd,...ne->...de", k, v)
    z = np.einsum("...md,...d->...m", q, k.sum(-2))
    return np.einsum("...md,...de->...me", q, kv) / z[..., None]
