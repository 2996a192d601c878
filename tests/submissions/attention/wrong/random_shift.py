# backend: numpy
# mistake: not-deterministic
# style: numpy
import time
import numpy as np

def attention(q, k, v):
    rng = np.random.default_rng(time.time_ns())
    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    s = s + 0.05 * rng.standard_normal(s.shape).astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
