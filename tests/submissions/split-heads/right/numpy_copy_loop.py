# backend: numpy
# style: numpy-loops
import numpy as np

def split_heads(x, num_heads):
    *lead, n, w = x.shape
    d = w // num_heads
    out = np.empty((*lead, num_heads, n, d), dtype=x.dtype)
    for h in range(num_heads):
        for c in range(d):
            out[..., h, :, c] = x[..., h * d + c]
    return out

def merge_heads(x):
    *lead, h, n, d = x.shape
    out = np.empty((*lead, n, h * d), dtype=x.dtype)
    for i in range(h):
        out[..., i * d:(i + 1) * d] = x[..., i, :, :]
    return out
