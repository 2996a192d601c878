# backend: numpy
# style: any layout, any dtype
import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def padded_attention(q, k, v, lengths):
    out = np.zeros((*q.shape[:2], v.shape[-1]), dtype=q.dtype)
    for b, length in enumerate(lengths.tolist()):
        if length:
            scores = q[b] @ k[b, :length].T / q.shape[-1] ** 0.5
            out[b] = softmax(scores) @ v[b, :length]
    return out
