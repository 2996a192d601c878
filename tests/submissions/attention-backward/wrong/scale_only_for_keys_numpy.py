# backend: numpy
# mistake: backward-scale-missing-once
import numpy as np


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    s = q @ np.swapaxes(k, -1, -2) / root
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - np.sum(p * dp, -1, keepdims=True))
    return ds @ k, np.swapaxes(ds, -1, -2) @ q / root, np.swapaxes(p, -1, -2) @ grad_output
