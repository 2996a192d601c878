# backend: numpy
# style: any layout, any dtype
import numpy as np


def masked_attention(q, k, v, mask=None):
    scores = np.einsum("...md,...nd->...mn", q, k) / np.sqrt(q.shape[-1]).astype(q.dtype)
    mask = np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(scores.dtype)
    e = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    total = e.sum(-1, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(q.dtype) @ v
