# backend: numpy
# mistake: backward-scale-missing-once
# style: numpy
import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def attention_backward(q, k, v, grad_output):
    t = lambda a: np.swapaxes(a, -1, -2)
    c = q.shape[-1] ** -0.5
    p = softmax(q @ t(k) * c)
    dp = grad_output @ t(v)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    return ds @ k * c, t(ds) @ q, t(p) @ grad_output
