# backend: numpy
# mistake: none
# style: overflow
import numpy as np

def linear_attention(q, k, v):
    f = lambda x: (x > 0) * (x + 1) + (x <= 0) * np.exp(x)
    q, k = f(q), f(k)
    return q @ (k.swapaxes(-1, -2) @ v) / (q @ k.sum(-2)[..., None])
