# backend: numpy
# mistake: none
import numpy as np


def attention_backward(q, k, v, grad_output):
    r = q.shape[-1] ** 0.5
    s = q @ k.swapaxes(-1, -2) / r
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1)) / r
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
