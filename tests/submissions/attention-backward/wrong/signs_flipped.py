# backend: numpy
# mistake: backward-sign-flipped
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
    ds = p * ((p * dp).sum(-1, keepdims=True) - dp) * c
    return ds @ k, t(ds) @ q, t(p) @ grad_output
