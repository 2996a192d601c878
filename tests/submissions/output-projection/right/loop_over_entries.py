# backend: numpy
# style: loops
import numpy as np


def head_updates(heads, w_o):
    *batch, h, n, d = heads.shape
    out = np.zeros((*batch, h, n, w_o.shape[1]), dtype=heads.dtype)
    for b in np.ndindex(*batch):
        for i in range(h):
            for token in range(n):
                for c in range(d):
                    out[b][i, token] += heads[b][i, token, c] * w_o[i * d + c]
    return out
