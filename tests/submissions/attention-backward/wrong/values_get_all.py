# backend: numpy
# mistake: backward-weights-missing
import numpy as np


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    s = q @ k.swapaxes(-1, -2) / root
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / root
    dv = np.repeat(grad_output.sum(-2, keepdims=True), v.shape[-2], axis=-2)
    return ds @ k, ds.swapaxes(-1, -2) @ q, dv
