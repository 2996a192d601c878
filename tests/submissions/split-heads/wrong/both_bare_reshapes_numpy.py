# backend: numpy
# mistake: heads-reshaped-without-transpose, heads-merged-without-transpose
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    return np.ascontiguousarray(x).reshape(*x.shape[:-2], num_heads, x.shape[-2], x.shape[-1] // num_heads)

def merge_heads(x):
    return np.ascontiguousarray(x).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])
