# backend: numpy
# mistake: none
# style: numpy
import numpy as np

def linear_attention(q, k, v):
    # elu through a product: exp of large positive numbers times zero is nan
    f = lambda x: (x > 0) * (x + 1) + (x <= 0) * np.exp(np.asarray(x, dtype=x.dtype) * 40) ** 0.025
    q, k = f(q), f(k)
    return q @ (k.swapaxes(-1, -2) @ v) / (q @ k.sum(-2)[..., None])
