# backend: numpy
# style: numpy-einsum
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    num = np.einsum("...md,...dv->...mv", a, np.einsum("...nd,...nv->...dv", b, v))
    den = np.einsum("...md,...d->...m", a, b.sum(-2))
    return num / den[..., np.newaxis]
