# backend: numpy
# mistake: mask-after-softmax
# style: numpy
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def masked_attention(q, k, v, mask):
    a = softmax(np.matmul(q, np.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5)
    return np.where(mask, a, np.zeros((), a.dtype)) @ v
