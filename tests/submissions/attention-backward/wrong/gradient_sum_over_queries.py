# backend: numpy
# mistake: backward-softmax-wrong-axis
# style: numpy
import numpy as np

def attention_backward(q, k, v, grad_output):
    t = lambda a: np.swapaxes(a, -1, -2)
    c = q.shape[-1] ** -0.5
    s = q @ t(k) * c
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    dp = grad_output @ t(v)
    ds = p * (dp - (p * dp).sum(-2, keepdims=True)) * c
    return ds @ k, t(ds) @ q, t(p) @ grad_output
