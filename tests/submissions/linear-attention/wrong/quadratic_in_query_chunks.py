# backend: numpy
# mistake: linear-quadratic
# Compares every query with every key, 8 queries at a time: no array of m x n, but a cost of m * n.
import numpy as np

def _phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

def linear_attention(q, k, v):
    q, k = _phi(q), _phi(k)
    outs = []
    for start in range(0, q.shape[-2], 8):
        w = q[..., start : start + 8, :] @ k.swapaxes(-1, -2)
        outs.append(w @ v / w.sum(-1, keepdims=True))
    return np.concatenate(outs, axis=-2)
