# backend: numpy
# mistake: backward-scale-twice
import numpy as np


def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / d**0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    dv = p.swapaxes(-1, -2) @ grad_output
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / d**0.5
    return ds @ k / d**0.5, ds.swapaxes(-1, -2) @ q / d**0.5, dv
