# backend: numpy
# mistake: precision-lost
# style: numpy
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def linear_attention(q, k, v):
    q32, k32, v32 = (a.astype(np.float32) for a in (phi(q), phi(k), v))
    out = q32 @ (k32.swapaxes(-1, -2) @ v32) / (q32 @ k32.sum(-2)[..., None])
    return out.astype(q.dtype)
