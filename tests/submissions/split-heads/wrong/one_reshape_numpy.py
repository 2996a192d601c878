# backend: numpy
# mistake: heads-reshaped-without-transpose
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    shape = x.shape[:-2] + (num_heads, x.shape[-2], x.shape[-1] // num_heads)
    return np.reshape(x, shape)

def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)
