# backend: numpy
# mistake: mask-missing
# style: einsum
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def causal_linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    num = np.einsum("...nd,...dv->...nv", q, np.einsum("...nd,...nv->...dv", k, v))
    return num / np.einsum("...nd,...d->...n", q, k.sum(-2))[..., None]
