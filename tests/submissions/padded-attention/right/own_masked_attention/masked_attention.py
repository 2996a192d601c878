import numpy as np


def masked_attention(q, k, v, mask):
    s = np.where(mask, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    top = np.max(s, axis=-1, keepdims=True)
    e = np.exp(s - np.where(top == -np.inf, 0.0, top))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0) @ v
