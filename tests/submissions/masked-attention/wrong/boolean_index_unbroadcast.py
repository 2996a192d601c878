# backend: numpy
# mistake: none
# Assigns through scores[~mask], which needs a mask of exactly the shape of the scores: fails for any mask that has to broadcast.
import numpy as np

def masked_attention(q, k, v, mask):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    s[~mask] = -np.inf
    top = s.max(-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(s - top)
    z = e.sum(-1, keepdims=True)
    z[z == 0] = 1
    return (e / z) @ v
