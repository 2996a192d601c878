# backend: numpy
# mistake: none
# Subtracts the sum of P * dP over the whole table (each batch entry) instead of over each row.
import numpy as np

def attention_backward(q, k, v, grad_output):
    r = np.sqrt(q.shape[-1])
    s = q @ k.swapaxes(-1, -2) / r
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dv = p.swapaxes(-1, -2) @ grad_output
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(axis=(-2, -1), keepdims=True)) / r
    return ds @ k, ds.swapaxes(-1, -2) @ q, dv
