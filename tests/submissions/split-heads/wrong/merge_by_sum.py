# backend: numpy
# mistake: heads-summed
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)

def merge_heads(x):
    return x.sum(axis=-3)
