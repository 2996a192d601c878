# backend: numpy
# mistake: backward-scale-missing, backward-softmax-elementwise
# style: numpy
import numpy as np

def attention_backward(q, k, v, grad_output):
    t = lambda a: np.swapaxes(a, -1, -2)
    s = q @ t(k) / q.shape[-1] ** 0.5
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    ds = p * (grad_output @ t(v))
    return ds @ k, t(ds) @ q, t(p) @ grad_output
