# backend: numpy
import numpy as np

def phi(x):
    return 1 + np.maximum(x, 0) + np.expm1(np.minimum(x, 0))

class Summary:
    def __init__(self):
        self.state = 0.0
        self.total = 0.0

    def add(self, keys, values):
        self.state = self.state + np.einsum("...nd,...nv->...dv", keys, values)
        self.total = self.total + keys.sum(axis=-2)

def linear_attention(q, k, v):
    summary = Summary()
    for start in range(0, k.shape[-2], 5):
        part = slice(start, start + 5)
        summary.add(phi(k[..., part, :]), v[..., part, :])
    f = phi(q)
    return (f @ summary.state) / np.einsum("...md,...d->...m", f, summary.total)[..., None]
