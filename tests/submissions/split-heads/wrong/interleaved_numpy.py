# backend: numpy
# mistake: heads-interleaved
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return np.moveaxis(x.reshape(*lead, n, w // num_heads, num_heads), -1, -3)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -1).reshape(*lead, n, d * h)
