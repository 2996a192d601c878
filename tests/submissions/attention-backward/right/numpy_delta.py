# backend: numpy
# style: numpy
import numpy as np

def attention_backward(q, k, v, grad_output):
    t = lambda a: np.swapaxes(a, -1, -2)
    qs = q / q.shape[-1] ** 0.5
    s = qs @ t(k)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    delta = (grad_output * (p @ v)).sum(-1, keepdims=True)
    ds = p * (grad_output @ t(v) - delta)
    return ds @ k / q.shape[-1] ** 0.5, t(ds) @ qs, t(p) @ grad_output
