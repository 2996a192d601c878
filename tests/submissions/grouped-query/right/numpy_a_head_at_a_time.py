# backend: numpy
# style: any layout, any dtype
import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def grouped_query_attention(q, k, v):
    group = q.shape[1] // k.shape[1]
    heads = [
        softmax(q[:, i] @ k[:, i // group].transpose(0, 2, 1) / q.shape[-1] ** 0.5)
        @ v[:, i // group]
        for i in range(q.shape[1])
    ]
    return np.stack(heads, axis=1)
