# backend: numpy
# mistake: none
import numpy as np


def attention(q, k, v):
    kt = k.transpose(0, 2, 1) if k.ndim == 3 else k.T
    s = q @ kt / np.sqrt(k.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return (w / w.sum(-1, keepdims=True)) @ v
