# backend: numpy
# mistake: softmax-epsilon
# Adds 1e-9 to every row's sum to avoid 0 / 0, so the weights that are left sum to a little less than 1.
import numpy as np

def masked_attention(q, k, v, mask):
    s = np.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    return e / (e.sum(-1, keepdims=True) + 1e-9) @ v
