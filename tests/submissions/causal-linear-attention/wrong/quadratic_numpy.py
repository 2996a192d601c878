# backend: numpy
# mistake: linear-quadratic
# style: mask
import numpy as np

def phi(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

def causal_linear_attention(q, k, v):
    a = np.tril(np.matmul(phi(q), np.swapaxes(phi(k), -1, -2)))
    return np.matmul(a, v) / a.sum(-1, keepdims=True)
