# backend: numpy
# mistake: backward-scale-missing-once
# Scales the query first and forgets the factor in dq; dk and dv are right.
import numpy as np

def attention_backward(q, k, v, grad_output):
    scaled = q / q.shape[-1] ** 0.5
    s = scaled @ k.swapaxes(-1, -2)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dv = p.swapaxes(-1, -2) @ grad_output
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    return ds @ k, ds.swapaxes(-1, -2) @ scaled, dv
