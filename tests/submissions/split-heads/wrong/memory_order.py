# backend: numpy
# mistake: none
import numpy as np


def split_heads(x, num_heads):
    *lead, n, width = x.shape
    flat = x.ravel(order="K")
    return flat.reshape(*lead, n, num_heads, width // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])
