# backend: numpy
# mistake: heads-merged-without-transpose
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, -1), -3)

def merge_heads(x):
    return x.reshape(x.shape[:-3] + (x.shape[-2], x.shape[-3] * x.shape[-1]))
