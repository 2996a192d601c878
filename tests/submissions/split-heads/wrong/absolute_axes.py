# backend: numpy
# mistake: none
# style: no-batch
import numpy as np

def split_heads(x, num_heads):
    y = x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return np.swapaxes(y, 1, 2)

def merge_heads(x):
    y = np.swapaxes(x, 1, 2)
    return y.reshape(*y.shape[:-2], y.shape[-2] * y.shape[-1])
