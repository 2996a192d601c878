# backend: numpy
# style: two files
import numpy as np
from softmax import softmax, softmax_backward


def attention_backward(q, k, v, grad_output):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.swapaxes(-1, -2) / root)
    ds = softmax_backward(p, grad_output @ v.swapaxes(-1, -2)) / root
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
