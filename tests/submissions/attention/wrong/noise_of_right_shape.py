# backend: numpy
# mistake: none
# style: noise
import numpy as np

def attention(q, k, v):
    return np.random.default_rng(0).normal(size=(*q.shape[:-1], v.shape[-1])).astype(q.dtype)
