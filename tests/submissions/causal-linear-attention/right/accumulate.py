# backend: numpy
# style: itertools
from itertools import accumulate
from operator import add
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def causal_linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    n = k.shape[-2]
    v1 = np.concatenate([v, np.ones_like(v[..., :1])], axis=-1)
    states = accumulate((k[..., i, :, None] * v1[..., i, None, :] for i in range(n)), add)
    rows = [np.einsum("...d,...de->...e", q[..., i, :], S) for i, S in enumerate(states)]
    o = np.stack(rows, axis=-2)
    return o[..., :-1] / o[..., -1:]
