# backend: numpy
# mistake: linear-feature-map-missing
# style: numpy
import numpy as np

def linear_attention(q, k, v):
    num = np.einsum("...md,...nd,...nv->...mv", q, k, v, optimize=["einsum_path", (1, 2), (0, 1)])
    den = np.einsum("...md,...d->...m", q, k.sum(-2))
    return num / den[..., None]
