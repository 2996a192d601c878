# backend: numpy
# mistake: backward-scores-not-transposed
import numpy as np


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / root
    s = s - s.max(axis=-1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)
    dp = np.matmul(grad_output, np.swapaxes(v, -1, -2))
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    return np.matmul(ds, k), np.matmul(ds, q), np.matmul(np.swapaxes(p, -1, -2), grad_output)
