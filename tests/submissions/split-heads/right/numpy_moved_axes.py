# backend: numpy
# style: any layout, any dtype
import numpy as np


def split_heads(x, num_heads):
    width = x.shape[-1] // num_heads
    return np.moveaxis(np.reshape(x, (*x.shape[:-1], num_heads, width)), -2, -3)


def merge_heads(x):
    h, n, d = x.shape[-3:]
    return np.ascontiguousarray(np.moveaxis(x, -3, -2)).reshape(*x.shape[:-3], n, h * d)
