# backend: numpy
# style: numpy
import numpy as np

def linear_attention(q, k, v):
    f = lambda x: np.where(x >= 0, x + 1, np.exp(np.where(x < 0, x, 0)))
    ones = np.ones(v.shape[:-1] + (1,), v.dtype)
    summary = np.swapaxes(f(k), -1, -2) @ np.concatenate((v, ones), axis=-1)
    mixed = f(q) @ summary
    return mixed[..., :-1] / mixed[..., -1:]
