# backend: numpy
# mistake: input-mutated
# style: in-place
import numpy as np

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    out = heads @ w_o.reshape(h, d, w_o.shape[1])
    heads *= 0
    return out
