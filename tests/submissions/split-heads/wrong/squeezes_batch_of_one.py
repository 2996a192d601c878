# backend: numpy
# mistake: none
# Flattens all batch axes into one and squeezes it if it has length 1: wrong for a batch of one and for two batch axes.
import numpy as np

def split_heads(x, num_heads):
    n, width = x.shape[-2:]
    y = x.reshape(-1, n, num_heads, width // num_heads).transpose(0, 2, 1, 3)
    return y[0] if y.shape[0] == 1 else y

def merge_heads(x):
    h, n, d = x.shape[-3:]
    y = x.reshape(-1, h, n, d).transpose(0, 2, 1, 3).reshape(-1, n, h * d)
    return y[0] if y.shape[0] == 1 else y
